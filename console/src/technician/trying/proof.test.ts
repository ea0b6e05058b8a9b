import { describe, expect, it } from 'vitest';
import { proofOf } from './proof.ts';

const use = { kind: 'use', gadget_id: 'gad_1', gadget_action_id: 'open', detail: 'commissioning (technician, pass p)' };
const told = (event: object) => ({ type: 'event', event }) as never;

describe('proofOf', () => {
  it('accepts only a use of the commissioning credential', () => {
    expect(proofOf(told(use))).toBe('rule:gad_1:open');
    expect(proofOf(told({ ...use, detail: null }))).toBeNull();
    expect(proofOf(told({ ...use, kind: 'deny' }))).toBeNull();
    expect(proofOf({ type: 'key', station: 'front', key: '#' })).toBeNull();
  });
});
