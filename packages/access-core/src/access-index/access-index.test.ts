import { describe, expect, it } from 'vitest';
import type { GroupAssociationId, MemberCardId, MemberGroupId, MemberId, MemberPinId, MemberTokenId } from '../ids.ts';
import * as given from '../permission/sample-hotel.test-support.ts';
import { AccessIndex } from './access-index.ts';

const hex = (text: string): string => text.padEnd(64, '0');
const pin = (id: string, digest: string) => ({ id: id as MemberPinId, digest });
const extendedPin = (id: string, digest: string) => ({ ...pin(id, digest), extended: true as const });
const ben = 'mem_ben' as MemberId;

describe('AccessIndex', () => {
  describe('credentials', () => {
    it('are found by digest or public key, separately for each kind', () => {
      const index = new AccessIndex(
        given.createSampleHotel({
          members: [
            given.createSampleMember({
              pins: [pin('mp_1', hex('a'))],
              cards: [{ id: 'mc_1' as MemberCardId, digest: hex('b') }],
              tokens: [{ id: 'mt_1' as MemberTokenId, public_key: 'Base64+of/a=key' }],
            }),
          ],
        }),
      );
      expect(index.findPin(hex('a'))).toEqual({ member_id: given.SAMPLE_MEMBER_ID, credential_id: 'mp_1' });
      expect(index.findCard(hex('b'))).toEqual({ member_id: given.SAMPLE_MEMBER_ID, credential_id: 'mc_1' });
      expect(index.findToken('Base64+of/a=key')).toEqual({ member_id: given.SAMPLE_MEMBER_ID, credential_id: 'mt_1' });
      expect([index.findPin(hex('b')), index.findCard(hex('a')), index.findToken(hex('a'))]).toEqual([
        null,
        null,
        null,
      ]);
    });

    it('that differ only in the last digit are distinct', () => {
      const index = new AccessIndex(
        given.createSampleHotel({ members: [given.createSampleMember({ pins: [pin('mp_1', hex('a'))] })] }),
      );
      expect(index.findPin(`${hex('a').slice(0, 63)}1`)).toBeNull();
    });

    it('of a deleted member give way to the same digits of an active member', () => {
      const deleted = given.createSampleMember({ is_deleted: true, pins: [pin('mp_old', hex('a'))] });
      const living = given.createSampleMember({ id: ben, pins: [pin('mp_new', hex('a'))] });
      for (const members of [
        [deleted, living],
        [living, deleted],
      ]) {
        const index = new AccessIndex(given.createSampleHotel({ members }));
        expect(index.findPin(hex('a'))).toEqual({ member_id: ben, credential_id: 'mp_new' });
        index.apply({ type: 'member', remove: ben });
        expect(index.findPin(hex('a'))).toEqual({ member_id: given.SAMPLE_MEMBER_ID, credential_id: 'mp_old' });
      }
    });

    it('of a removed member are no longer found', () => {
      const index = new AccessIndex(
        given.createSampleHotel({ members: [given.createSampleMember({ pins: [extendedPin('mp_1', hex('a'))] })] }),
      );
      index.apply({ type: 'member', remove: given.SAMPLE_MEMBER_ID });
      expect([index.findPin(hex('a')), index.isPinKnown(hex('a')), index.isPinExtended(hex('a'))]).toEqual([
        null,
        false,
        false,
      ]);
      expect(index.memberCount).toBe(0);
    });
  });

  it('reports a PIN as extended while an entry of any member says so', () => {
    const index = new AccessIndex(
      given.createSampleHotel({
        members: [
          given.createSampleMember({ pins: [pin('mp_1', hex('123456')), extendedPin('mp_2', hex('1234'))] }),
          given.createSampleMember({ id: ben, is_deleted: true, pins: [pin('mp_3', hex('1234'))] }),
        ],
      }),
    );
    const isExtended = () => ['1234', '123456', '12345'].map(digits => index.isPinExtended(hex(digits)));
    expect(isExtended()).toEqual([true, false, false]);
    index.apply({ type: 'member', put: given.createSampleMember({ pins: [pin('mp_2', hex('1234'))] }) });
    expect(isExtended()).toEqual([false, false, false]);
    index.apply({
      type: 'member',
      put: given.createSampleMember({ id: ben, pins: [extendedPin('mp_3', hex('1234'))] }),
    });
    expect(isExtended()).toEqual([true, false, false]);
  });

  describe('apply', () => {
    const decided = (index: AccessIndex) => {
      const decision = index.decide(given.createSampleAccessRequest());
      return decision.outcome === 'deny' ? decision.reason : decision.outcome;
    };

    it('affects the next decision, for every type of change', () => {
      const index = new AccessIndex(
        given.createSampleHotel({
          member_groups: [given.createSampleMemberGroup([{ schedule_id: given.SAMPLE_SCHEDULE_ID }])],
        }),
      );
      const answers = [decided(index)];
      const closed = Array.from({ length: 7 }, () => ({ ranges: [] }));
      for (const change of [
        { type: 'schedule', put: given.createSampleSchedule({ weekdays: closed }) },
        { type: 'schedule', remove: given.SAMPLE_SCHEDULE_ID },
        { type: 'member_group', put: given.createSampleMemberGroup([{}]) },
        { type: 'site', put: given.createSampleSite({ is_deleted: true }) },
        { type: 'site', put: given.createSampleSite() },
        { type: 'gadget', remove: given.SAMPLE_GADGET_ID },
        { type: 'gadget', put: given.createSampleGadget() },
        { type: 'member_group', remove: given.SAMPLE_MEMBER_GROUP_ID },
        { type: 'member_group', put: given.createSampleMemberGroup([{ access_methods: {} }]) },
        { type: 'member', put: given.createSampleMember({ is_deleted: true }) },
        { type: 'member', remove: given.SAMPLE_MEMBER_ID },
      ] as const) {
        index.apply(change);
        answers.push(decided(index));
      }
      expect(answers).toEqual([
        'grant',
        'out_of_schedule',
        'no_matching_rule',
        'grant',
        'not_found',
        'grant',
        'not_found',
        'grant',
        'no_group',
        'method_not_allowed',
        'member_deleted',
        'not_found',
      ]);
    });

    it('ignores the removal of an unknown id', () => {
      const index = new AccessIndex(given.createSampleHotel());
      index.apply({ type: 'member', remove: ben });
      index.apply({ type: 'member_group', remove: 'mg_other' as MemberGroupId });
      expect(decided(index)).toBe('grant');
    });

    it('accepts a group that arrives after its members', () => {
      const index = new AccessIndex(given.createSampleHotel({ member_groups: [] }));
      expect(decided(index)).toBe('no_group');
      index.apply({ type: 'member_group', put: given.createSampleMemberGroup([{}]) });
      expect(decided(index)).toBe('grant');
    });
  });

  it('handles a member of ten thousand groups', () => {
    const last = 'mga_9999' as GroupAssociationId;
    const group_associations = Array.from({ length: 10_000 }, (_, number) =>
      given.createSampleAssociation({
        id: `mga_${number}` as GroupAssociationId,
        member_group_id: number === 9_999 ? given.SAMPLE_MEMBER_GROUP_ID : (`mg_${number}` as MemberGroupId),
        ends_at: number % 2 === 0 ? given.SAMPLE_NOON : null,
      }),
    );
    const index = new AccessIndex(
      given.createSampleHotel({ members: [given.createSampleMember({ group_associations })] }),
    );
    expect(index.decide(given.createSampleAccessRequest())).toMatchObject({ outcome: 'grant', association_id: last });
    index.apply({ type: 'member', put: given.createSampleMember() });
    expect(index.decide(given.createSampleAccessRequest())).toMatchObject({
      outcome: 'grant',
      association_id: given.SAMPLE_ASSOCIATION_ID,
    });
  });

  it('knows the remaining members after five thousand were added and removed', () => {
    const index = new AccessIndex(given.createSampleHotel({ members: [] }));
    for (let round = 0; round < 5_000; round++) {
      const id = `mem_${round}` as MemberId;
      index.apply({
        type: 'member',
        put: given.createSampleMember({ id, pins: [pin(`mp_${round}`, hex(String(round)))] }),
      });
      if (round >= 5) index.apply({ type: 'member', remove: `mem_${round - 5}` as MemberId });
    }
    expect(index.memberCount).toBe(5);
    expect(index.findPin(hex('4999'))).toEqual({ member_id: 'mem_4999', credential_id: 'mp_4999' });
    expect(index.findPin(hex('4990'))).toBeNull();
  });
});
