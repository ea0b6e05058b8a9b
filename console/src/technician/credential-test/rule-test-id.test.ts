import { describe, expect, it } from 'vitest';
import { ruleTestIdOf } from './rule-test-id.ts';

const use = { kind: 'use', gadget_id: 'gad_1', gadget_action_id: 'open', detail: 'commissioning (technician, pass p)' };
const liveEvent = (event: object) => ({ type: 'event', event }) as never;

describe('ruleTestIdOf', () => {
  it('accepts only a use of the commissioning credential', () => {
    expect(ruleTestIdOf(liveEvent(use))).toBe('rule:gad_1:open');
    expect(ruleTestIdOf(liveEvent({ ...use, detail: null }))).toBeNull();
    expect(ruleTestIdOf(liveEvent({ ...use, kind: 'deny' }))).toBeNull();
    expect(ruleTestIdOf({ type: 'key', station: 'front', key: '#' })).toBeNull();
  });
});
