import { MemoryState } from '@lintel/test/support/memory-state-store';
import { revocationMqttMessageSchema } from '@lintel/wire-protocol/mqtt/messages/revocation';
import { beforeEach, describe, expect, it } from 'vitest';
import { DataAuthenticator } from '../state/data-authenticator.ts';
import { RevocationLog } from './revocation-log.ts';

const authenticator = new DataAuthenticator(new Uint8Array(32).fill(7));
const revocationOf = (revision: number, card: string) =>
  revocationMqttMessageSchema.parse({
    v: 1,
    revision,
    member_ids: [],
    member_pin_ids: [],
    member_card_ids: [card],
    member_token_ids: [],
    member_group_association_ids: [],
  });

let state: MemoryState;
beforeEach(() => {
  state = new MemoryState();
  const log = new RevocationLog(state, authenticator);
  log.snapshotApplied(4);
  log.add(revocationOf(5, 'mc_a'));
  log.add(revocationOf(6, 'mc_b'));
});

describe('RevocationLog', () => {
  it('keeps revocations until a snapshot contains them, and the revision of that snapshot', () => {
    const log = new RevocationLog(state, authenticator);
    expect([log.has('mc_a'), log.has('mc_b'), log.newestRevision, log.isDamaged]).toEqual([true, true, 4, false]);
    log.snapshotApplied(5);
    const again = new RevocationLog(state, authenticator);
    expect([again.has('mc_a'), again.has('mc_b'), again.newestRevision]).toEqual([false, true, 5]);
  });

  it.each(['revocations', 'revocations_copy'])('uses the other copy when %s is damaged, and repairs it', key => {
    state.write(key, { sequence: 99, value: { snapshot_revision: 9, revocations: [] }, seal: 'forged' });
    const log = new RevocationLog(state, authenticator);
    expect([log.has('mc_b'), log.newestRevision, log.hasLostCopy]).toEqual([true, 4, true]);
    expect(new RevocationLog(state, authenticator).hasLostCopy).toBe(false);
  });

  it('stays damaged without an intact copy, also after a new revocation, until the next snapshot', () => {
    for (const key of ['revocations', 'revocations_copy']) state.write(key, { sequence: 1, value: null, seal: '' });
    const log = new RevocationLog(state, authenticator);
    log.add(revocationOf(7, 'mc_c'));
    const again = new RevocationLog(state, authenticator);
    expect([again.isDamaged, again.has('mc_c')]).toEqual([true, true]);
    again.snapshotApplied(7);
    expect(new RevocationLog(state, authenticator).isDamaged).toBe(false);
  });

  it('does not accept copies with the MAC of another key', () => {
    expect(new RevocationLog(state, new DataAuthenticator(new Uint8Array(32))).isDamaged).toBe(true);
  });
});
