import type { RevocationMqttMessage } from '@lintel/wire-protocol/mqtt/messages/revocation';
import { describe, expect, it } from 'vitest';
import { openTestStorage } from '../../testing/sqlite-template.ts';
import {
  listLostRevocations,
  listSentRevocations,
  insertLostRevocationMarker,
  recordSentRevocations,
} from './sent-revocations.ts';

const revocation = (memberId: string): RevocationMqttMessage =>
  ({
    v: 1,
    revision: 1,
    member_ids: [memberId],
    member_pin_ids: [],
    member_card_ids: [],
    member_token_ids: [],
    member_group_association_ids: [],
  }) as unknown as RevocationMqttMessage;

const numbered = (counter: number, memberId = `mem_${counter}`) => ({ counter, message: revocation(memberId) });

const openWith = async (...counters: readonly number[]) => {
  const { writer } = await openTestStorage();
  const sent = counters.map(counter => numbered(counter));
  if (sent.length > 0) await recordSentRevocations(writer, 'org_1', sent);
  return writer;
};

describe('listLostRevocations', () => {
  it('finds revocations after the recorded ones, and others under a recorded counter', async () => {
    const db = await openWith(1, 2);
    const received = [numbered(1), numbered(2, 'mem_other'), numbered(3)];
    expect(await listLostRevocations(db, 'org_1', received)).toEqual([numbered(2, 'mem_other'), numbered(3)]);
  });

  it('finds all of them in a database without any', async () => {
    expect(await listLostRevocations(await openWith(), 'org_1', [numbered(1)])).toEqual([numbered(1)]);
  });

  it('finds those of lost counters although newer ones are recorded', async () => {
    const db = await openWith();
    await insertLostRevocationMarker(db, 'org_1', 0);
    await recordSentRevocations(db, 'org_1', [numbered(3)]);
    const received = [numbered(1), numbered(2), numbered(3)];
    expect(await listLostRevocations(db, 'org_1', received)).toEqual([numbered(1), numbered(2)]);
  });

  it('finds another one under the oldest recorded counter, unless that one is unknown', async () => {
    const db = await openWith(1);
    expect(await listLostRevocations(db, 'org_1', [numbered(1, 'mem_other')])).toEqual([numbered(1, 'mem_other')]);
    const other = await openWith();
    await insertLostRevocationMarker(other, 'org_1', 1);
    expect(await listLostRevocations(other, 'org_1', [numbered(1), numbered(2)])).toEqual([numbered(2)]);
  });

  it('ignores revocations before the oldest recorded one, which a hostile controller may have kept', async () => {
    const db = await openWith(5, 12_000);
    expect(await listLostRevocations(db, 'org_1', [numbered(4), numbered(5), numbered(12_000)])).toEqual([]);
    expect(await listSentRevocations(db, 'org_1', 0)).toHaveLength(1);
  });
});
