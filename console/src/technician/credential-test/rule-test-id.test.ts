import { describe, expect, it } from 'vitest';
import { buildRuleTestId } from './rule-test-id.ts';

const use = { kind: 'use', gadget_id: 'gad_1', gadget_action_id: 'open', detail: 'commissioning (technician, pass p)' };
const liveEvent = (event: object) => ({ type: 'event', event }) as never;

describe('buildRuleTestId', () => {
  it('accepts only a use of the commissioning credential', () => {
    expect(buildRuleTestId(liveEvent(use))).toBe('rule:gad_1:open');
    expect(buildRuleTestId(liveEvent({ ...use, detail: null }))).toBeNull();
    expect(buildRuleTestId(liveEvent({ ...use, kind: 'deny' }))).toBeNull();
    expect(buildRuleTestId({ type: 'key', station: 'front', key: '#' })).toBeNull();
  });
});
