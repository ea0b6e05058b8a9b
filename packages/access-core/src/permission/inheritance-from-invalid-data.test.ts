import { describe, expect, it } from 'vitest';
import { AccessIndex } from '../access-index/access-index.ts';
import type { PermissionRule } from '../access-data-types.ts';
import type { MemberGroupId, ScheduleId } from '../ids.ts';
import { decidePermission } from './decide.ts';
import { listEffectivePermissionRules, findFirstEffectivePermissionRule } from './effective-rules.ts';
import { explainPermissionDecision } from './explain-decision.ts';
import * as given from './sample-hotel.test-support.ts';
import { createAccessDataSource } from './access-data-source.test-support.ts';

const groupId = (number: number): MemberGroupId =>
  number === 0 ? given.SAMPLE_MEMBER_GROUP_ID : (`mg_${number}` as MemberGroupId);

/** Group number 0 is the group of the guest. */
const hotelOf = (groups: readonly (readonly PermissionRule[])[], change = {}) =>
  given.createSampleHotel({
    member_groups: groups.map((rules, number) => given.createSampleMemberGroup(rules, { id: groupId(number) })),
    ...change,
  });

/** Looks groups up in a map: searching the list would take too long. */
const quickWorld = (world: ReturnType<typeof given.createSampleHotel>) => {
  const groups = new Map(world.member_groups.map(group => [group.id, group]));
  return { ...createAccessDataSource(world), memberGroup: (id: MemberGroupId) => groups.get(id) };
};

describe('inheritance from invalid or hostile data', () => {
  it('ends in a cycle, and grants what is actually granted', () => {
    const circle = hotelOf([
      [{ member_group_id: groupId(1) }],
      [{ member_group_id: groupId(0) }, { access_methods: { pin: true } }],
    ]);
    expect(decidePermission(createAccessDataSource(circle), given.createSampleAccessRequest())).toMatchObject({
      outcome: 'grant',
      rule: { path: [0, 1] },
    });
    expect(new AccessIndex(circle).decide(given.createSampleAccessRequest())).toMatchObject({
      outcome: 'grant',
      rule: { path: [0, 1] },
    });
  });

  it('grants nothing in a cycle without a final rule', () => {
    const circle = hotelOf([[{ member_group_id: groupId(1) }], [{ member_group_id: groupId(0) }]]);
    const denied = { outcome: 'deny', reason: 'no_matching_rule' };
    expect(decidePermission(createAccessDataSource(circle), given.createSampleAccessRequest())).toEqual(denied);
    expect(new AccessIndex(circle).decide(given.createSampleAccessRequest())).toEqual(denied);
  });

  it('does not overflow the stack with twenty thousand levels', () => {
    const depth = 20_000;
    const chain = hotelOf(
      Array.from({ length: depth }, (_, number) =>
        number === depth - 1 ? [{}] : [{ member_group_id: groupId(number + 1) }],
      ),
    );
    const found = findFirstEffectivePermissionRule(quickWorld(chain), given.SAMPLE_MEMBER_GROUP_ID, () => true);
    expect(found?.path).toHaveLength(depth);
    expect(new AccessIndex(chain).decide(given.createSampleAccessRequest()).outcome).toBe('grant');
  });

  it('decides correctly with forty forks that join again (a trillion paths)', () => {
    const floors = 40;
    const scheduleIds = Array.from({ length: 2 * floors }, (_, number) => `sch_${number}` as ScheduleId);
    const schedules = scheduleIds.map(id => given.createSampleSchedule({ id }));
    const last: PermissionRule = { access_methods: { pin: true } };
    const forks = hotelOf(
      Array.from({ length: floors }, (_, number) =>
        number === floors - 1
          ? [last]
          : [0, 1].map(side => ({
              schedule_id: scheduleIds[2 * number + side]!,
              member_group_id: groupId(number + 1),
            })),
      ),
      { schedules },
    );
    const index = new AccessIndex(forks);
    const night = given.parseSampleTime('2026-06-03T22:00:00Z');
    for (const [request, expected] of [
      [
        given.createSampleAccessRequest(),
        { outcome: 'grant', rule: { path: Array.from({ length: floors }, () => 0) } },
      ],
      [given.createSampleAccessRequest({ now: night }), { outcome: 'deny', reason: 'out_of_schedule' }],
      [given.createSampleAccessRequest({ access_method: 'card' }), { outcome: 'deny', reason: 'method_not_allowed' }],
      [given.createSampleAccessRequest({ time_trusted: false }), { outcome: 'deny', reason: 'time_untrusted' }],
    ] as const) {
      expect(decidePermission(createAccessDataSource(forks), request)).toMatchObject(expected);
      expect(index.decide(request)).toMatchObject(expected);
    }
    expect(explainPermissionDecision(createAccessDataSource(forks), given.createSampleAccessRequest()).complete).toBe(
      false,
    );
  });

  it('lists every rule in order when there are few', () => {
    const world = createAccessDataSource(
      hotelOf([
        [{ member_group_id: groupId(1) }, {}, { member_group_id: groupId(1) }],
        [{}, { presence: 'gps' }],
      ]),
    );
    const { rules, complete } = listEffectivePermissionRules(world, given.SAMPLE_MEMBER_GROUP_ID, () => true);
    expect(rules.map(({ path }) => path)).toEqual([[0, 0], [0, 1], [1], [2, 0], [2, 1]]);
    expect(complete).toBe(true);
  });
});
