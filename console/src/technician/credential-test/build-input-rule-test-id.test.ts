import { describe, expect, it } from 'vitest';
import { buildInputRuleTestId } from './build-input-rule-test-id.ts';

const use = { kind: 'use', gadget_id: 'gad_1', gadget_action_id: 'open', detail: 'commissioning (technician, pass p)' };
const liveEvent = (event: object) => ({ type: 'event', event }) as never;

describe('buildInputRuleTestId', () => {
  it('accepts only a use of the commissioning credential', () => {
    expect(buildInputRuleTestId(liveEvent(use))).toBe('rule:gad_1:open');
    expect(buildInputRuleTestId(liveEvent({ ...use, detail: null }))).toBeNull();
    expect(buildInputRuleTestId(liveEvent({ ...use, kind: 'deny' }))).toBeNull();
    expect(buildInputRuleTestId({ type: 'key', station: 'front', key: '#' })).toBeNull();
  });
});
