import type { DeviceId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import type { RulesCopiedMessage } from '@lintel/wire-protocol/mqtt/messages/rules-copied';
import type { RulesCopyMessage } from '@lintel/wire-protocol/mqtt/messages/rules-copy';
import { describe, expect, it } from 'vitest';
import {
  applyRuleCopyResponse,
  addRuleCopy,
  markRuleCopySent,
  listRuleCopyReports,
  emptyRuleCopyState,
} from './rule-copy-state.ts';

const ask = (copy_id: string, to: readonly string[], base_revision = 5): RulesCopyMessage => ({
  v: 1,
  copy_id,
  base_revision,
  asked_at: instant(1),
  pass_id: 'pass_1',
  user_id: null,
  to: to as DeviceId[],
  own_gadgets: 'keep',
  input_rules: [],
});
const answer = (
  copy_id: string,
  results: Readonly<Record<string, string | null>>,
  revision = 9,
): RulesCopiedMessage => ({
  v: 1,
  copy_id,
  revision,
  results: Object.entries(results).map(([device_id, reason]) => ({
    device_id: device_id as DeviceId,
    outcome: reason === null ? 'copied' : 'refused',
    reason,
    message: null,
  })),
});
const states = (state: Parameters<typeof listRuleCopyReports>[0]) =>
  Object.fromEntries(listRuleCopyReports(state).map(one => [one.device_id, one.reason ?? one.state]));

describe('rule copy', () => {
  it('replaces an older copy that the bridge cannot have seen, device by device', () => {
    const state = addRuleCopy(addRuleCopy(emptyRuleCopyState, ask('a', ['dev_1', 'dev_2'])), ask('b', ['dev_2']));
    expect(state.asks.map(({ copy_id, to }) => [copy_id, to])).toEqual([
      ['a', ['dev_1']],
      ['b', ['dev_2']],
    ]);
    expect(addRuleCopy(state, ask('c', ['dev_1', 'dev_2'])).asks.map(({ copy_id }) => copy_id)).toEqual(['c']);
  });

  it('waits behind a copy that the bridge may have seen, and is then based on it', () => {
    let state = addRuleCopy(
      markRuleCopySent(addRuleCopy(emptyRuleCopyState, ask('a', ['dev_1', 'dev_2']))),
      ask('b', ['dev_1']),
    );
    expect(states(state)).toEqual({ dev_1: 'waiting', dev_2: 'waiting' });
    state = applyRuleCopyResponse(state, answer('a', { dev_1: null, dev_2: 'changed_meanwhile' }));
    expect(states(state)).toEqual({ dev_1: 'waiting', dev_2: 'changed_meanwhile' });
    expect(state.asks).toMatchObject([{ copy_id: 'b', base_revision: 9 }]);
  });

  it('keeps its base revision when the copy before it met changes by others', () => {
    const two = addRuleCopy(
      markRuleCopySent(addRuleCopy(emptyRuleCopyState, ask('a', ['dev_1']))),
      ask('b', ['dev_1']),
    );
    const state = applyRuleCopyResponse(two, answer('a', { dev_1: 'changed_meanwhile' }));
    expect(state.asks).toMatchObject([{ copy_id: 'b', base_revision: 5 }]);
    expect(state.revision).toBe(9);
  });

  it('is ended neither by the response to another copy nor by a response that omits it', () => {
    const handed = markRuleCopySent(addRuleCopy(emptyRuleCopyState, ask('a', ['dev_1'])));
    expect(applyRuleCopyResponse(handed, answer('x', { dev_1: null }))).toBe(handed);
    const state = applyRuleCopyResponse(handed, answer('a', {}));
    expect(states(state)).toEqual({ dev_1: 'unanswered' });
    expect(applyRuleCopyResponse(state, answer('a', { dev_1: null }))).toBe(state);
  });
});
