import { MemoryState } from '@lintel/test/support/memory-state';
import { revocationMessage } from '@lintel/wire-protocol/mqtt/messages/revoke';
import { beforeEach, describe, expect, it } from 'vitest';
import { DataSeal } from '../state/data-seal.ts';
import { RevocationLog } from './revocation-log.ts';

const seal = new DataSeal(new Uint8Array(32).fill(7));
const revocationOf = (revision: number, card: string) =>
  revocationMessage.parse({
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
  const log = new RevocationLog(state, seal);
  log.snapshotApplied(4);
  log.add(revocationOf(5, 'mc_a'));
  log.add(revocationOf(6, 'mc_b'));
});

describe('RevocationLog', () => {
  it('keeps revocations until a snapshot contains them, and the revision of that snapshot', () => {
    const log = new RevocationLog(state, seal);
    expect([log.has('mc_a'), log.has('mc_b'), log.newestRevision, log.isDamaged]).toEqual([true, true, 4, false]);
    log.snapshotApplied(5);
    const again = new RevocationLog(state, seal);
    expect([again.has('mc_a'), again.has('mc_b'), again.newestRevision]).toEqual([false, true, 5]);
  });

  it.each(['revocations', 'revocations_copy'])('uses the other copy when %s is damaged, and repairs it', key => {
    state.write(key, { sequence: 99, value: { snapshot_revision: 9, revocations: [] }, seal: 'forged' });
    const log = new RevocationLog(state, seal);
    expect([log.has('mc_b'), log.newestRevision, log.hasLostCopy]).toEqual([true, 4, true]);
    expect(new RevocationLog(state, seal).hasLostCopy).toBe(false);
  });

  it('stays damaged without an intact copy, also after a new revocation, until the next snapshot', () => {
    for (const key of ['revocations', 'revocations_copy']) state.write(key, { sequence: 1, value: null, seal: '' });
    const log = new RevocationLog(state, seal);
    log.add(revocationOf(7, 'mc_c'));
    const again = new RevocationLog(state, seal);
    expect([again.isDamaged, again.has('mc_c')]).toEqual([true, true]);
    again.snapshotApplied(7);
    expect(new RevocationLog(state, seal).isDamaged).toBe(false);
  });

  it('does not accept copies that were sealed with another key', () => {
    expect(new RevocationLog(state, new DataSeal(new Uint8Array(32))).isDamaged).toBe(true);
  });
});
