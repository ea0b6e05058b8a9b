import { describe, expect, it } from 'vitest';
import type { PermissionRule } from '../access-data-types.ts';
import type { ScheduleId } from '../ids.ts';
import * as given from '../permission/sample-hotel.test-support.ts';
import { createAccessDataSource } from '../permission/access-data-source.test-support.ts';
import { compileSchedule } from '../schedule.ts';
import { compilePermissionRules } from './compiled-permission-rules.ts';

const night = 'sch_night' as ScheduleId;
const compiled = new Map(
  [given.SAMPLE_SCHEDULE_ID, night].map(id => [id, compileSchedule(given.createSampleSchedule().weekdays)]),
);

/** Indexes of the group's rules that remain to be checked at the door. */
const kept = (permissions: readonly PermissionRule[]): readonly number[] | null => {
  const schedules = [...compiled.keys()].map(id => given.createSampleSchedule({ id }));
  const world = createAccessDataSource(
    given.createSampleHotel({ member_groups: [given.createSampleMemberGroup(permissions)], schedules }),
  );
  const rules = compilePermissionRules(world, given.SAMPLE_MEMBER_GROUP_ID, given.createSampleGadget(), 'open', rule =>
    rule.schedule_id == null ? null : (compiled.get(rule.schedule_id) ?? null),
  );
  return rules === null ? null : rules.map(({ source }) => source.path[0] ?? -1);
};

const day: PermissionRule = { schedule_id: given.SAMPLE_SCHEDULE_ID };
const gps: PermissionRule = { presence: 'gps' };
const pin: PermissionRule = { access_methods: { pin: true } };
const pinAndCard: PermissionRule = { access_methods: { pin: true, card: true } };

describe('compilePermissionRules', () => {
  it.each<[string, PermissionRule[]]>([
    ['with a schedule', [{}, day]],
    ['with presence', [{}, gps]],
    ['with fewer methods', [pinAndCard, pin]],
    ['once more', [day, day]],
    ['with less of everything', [pinAndCard, { ...pin, ...day, ...gps }]],
  ])('drops an earlier rule that is repeated %s', (_, permissions) => {
    expect(kept(permissions)).toEqual([0]);
  });

  it.each<[string, PermissionRule[]]>([
    ['has no schedule', [day, {}]],
    ['has another schedule', [day, { schedule_id: night }]],
    ['needs no presence', [gps, {}]],
    ['has more methods', [pin, pinAndCard]],
    ['has other methods', [pin, { access_methods: { card: true } }]],
    [
      'is wider in one way and narrower in another',
      [
        { ...pin, ...gps },
        { ...pin, ...day },
      ],
    ],
  ])('keeps a rule that %s', (_, permissions) => {
    expect(kept(permissions)).toEqual([0, 1]);
  });

  it('gives up the list when too many rules remain that do not cover one another', () => {
    const schedules = Array.from({ length: 1_001 }, (_, number) => ({ schedule_id: `sch_${number}` as ScheduleId }));
    for (const { schedule_id } of schedules) compiled.set(schedule_id, compileSchedule([]));
    expect(kept(schedules.slice(1))).toHaveLength(1_000);
    expect(kept(schedules)).toBeNull();
  });
});
