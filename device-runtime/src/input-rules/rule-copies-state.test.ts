import type { DeviceId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import type { RulesCopied } from '@lintel/wire-protocol/mqtt/messages/rules-copied';
import type { RulesCopy } from '@lintel/wire-protocol/mqtt/messages/rules-copy';
import { describe, expect, it } from 'vitest';
import { copyAnswered, copyAsked, copyHanded, copyReports, noCopies } from './rule-copies-state.ts';

const ask = (copy_id: string, to: readonly string[], base_revision = 5): RulesCopy => ({
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
const answer = (copy_id: string, results: Readonly<Record<string, string | null>>, revision = 9): RulesCopied => ({
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
const states = (state: Parameters<typeof copyReports>[0]) =>
  Object.fromEntries(copyReports(state).map(one => [one.device_id, one.reason ?? one.state]));

describe('rule copy', () => {
  it('replaces an older copy that the bridge cannot have seen, device by device', () => {
    const state = copyAsked(copyAsked(noCopies, ask('a', ['dev_1', 'dev_2'])), ask('b', ['dev_2']));
    expect(state.asks.map(({ copy_id, to }) => [copy_id, to])).toEqual([
      ['a', ['dev_1']],
      ['b', ['dev_2']],
    ]);
    expect(copyAsked(state, ask('c', ['dev_1', 'dev_2'])).asks.map(({ copy_id }) => copy_id)).toEqual(['c']);
  });

  it('waits behind a copy that the bridge may have seen, and is then based on it', () => {
    let state = copyAsked(copyHanded(copyAsked(noCopies, ask('a', ['dev_1', 'dev_2']))), ask('b', ['dev_1']));
    expect(states(state)).toEqual({ dev_1: 'waiting', dev_2: 'waiting' });
    state = copyAnswered(state, answer('a', { dev_1: null, dev_2: 'changed_meanwhile' }));
    expect(states(state)).toEqual({ dev_1: 'waiting', dev_2: 'changed_meanwhile' });
    expect(state.asks).toMatchObject([{ copy_id: 'b', base_revision: 9 }]);
  });

  it('keeps its base revision when the copy before it met changes by others', () => {
    const two = copyAsked(copyHanded(copyAsked(noCopies, ask('a', ['dev_1']))), ask('b', ['dev_1']));
    const state = copyAnswered(two, answer('a', { dev_1: 'changed_meanwhile' }));
    expect(state.asks).toMatchObject([{ copy_id: 'b', base_revision: 5 }]);
    expect(state.revision).toBe(9);
  });

  it('is ended neither by the response to another copy nor by a response that omits it', () => {
    const handed = copyHanded(copyAsked(noCopies, ask('a', ['dev_1'])));
    expect(copyAnswered(handed, answer('x', { dev_1: null }))).toBe(handed);
    const state = copyAnswered(handed, answer('a', {}));
    expect(states(state)).toEqual({ dev_1: 'unanswered' });
    expect(copyAnswered(state, answer('a', { dev_1: null }))).toBe(state);
  });
});
