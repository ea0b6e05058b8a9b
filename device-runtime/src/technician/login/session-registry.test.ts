import { monotonic } from '@lintel/access-core/monotonic-time';
import { describe, expect, it } from 'vitest';
import { TechnicianSessionRegistry } from './session-registry.ts';

const nobody = { pass_id: null, user_id: null };
const MINUTE = 60_000;

const arrange = () => {
  const state = { now: 0, owner: null as string | null };
  const sessions = new TechnicianSessionRegistry({ now: () => monotonic(state.now) }, () => state.owner);
  const open = (by: 'code' | 'pass' = 'code') => sessions.open(by, nobody, Number.POSITIVE_INFINITY).token;
  return { state, sessions, open };
};

describe('sessions after a change of the owner', () => {
  it('end, also those with a pass of the previous owner', () => {
    const { state, sessions, open } = arrange();
    const [code, pass] = [open(), open('pass')];
    const ended: string[] = [];
    sessions.onEnd(code, () => ended.push('code'));
    state.owner = 'org_1 site_1 dev_1';
    sessions.endSessionsOfEarlierOwners();
    expect(ended).toEqual(['code']);
    expect([sessions.find(code), sessions.find(pass)]).toEqual([null, null]);
    const next = open('pass');
    expect(sessions.find(next)).not.toBeNull();
    state.owner = 'org_2 site_2 dev_2';
    expect(sessions.find(next)).toBeNull();
  });

  it('last 15 minutes more if they claimed the controller, however often they are used', () => {
    const { state, sessions, open } = arrange();
    const [claimant, other] = [open(), open()];
    sessions.markClaimant(claimant);
    state.owner = 'org_1 site_1 dev_1';
    expect(sessions.find(other)).toBeNull();
    for (const minute of [0, 7, 14]) {
      state.now = minute * MINUTE;
      expect([minute, sessions.find(claimant) !== null]).toEqual([minute, true]);
    }
    state.now = 15 * MINUTE;
    expect(sessions.find(claimant)).toBeNull();
  });
});
