import { describe, expect, it } from 'vitest';
import {
  type PermissionRuleObjects,
  type MemberGroupPermission,
  listMemberGroupAccess,
} from './member-group-access.ts';

const always = Array.from({ length: 7 }, () => ({ ranges: [{ start: 0, end: 86_400 }] }));
const objects = {
  groups: [{ id: 'mg_parent', permissions: [{ gadget_id: 'gad_1', access_methods: { pin: true, card: true } }] }],
  schedules: [{ id: 'sch_1', is_deleted: false, weekdays: always }],
  doors: [
    { id: 'gad_1', site_id: 'site_1', is_deleted: false, actions: [{ id: 'open' }, { id: 'lock' }] },
    { id: 'gad_2', site_id: 'site_2', is_deleted: false, actions: [{ id: 'open' }] },
  ],
  sites: [
    { id: 'site_1', is_deleted: false, timezone: 'Europe/Madrid', geo: null },
    { id: 'site_2', is_deleted: false, timezone: null, geo: null },
  ],
} as unknown as PermissionRuleObjects;

const accessBy = (...rules: object[]) =>
  listMemberGroupAccess(objects, 'mg_new', rules as MemberGroupPermission[]).map(
    ({ gadget_id, action_id, grants }) =>
      `${gadget_id} ${action_id} ${grants.map(({ access_methods }) => access_methods.join('+')).join(', ')}`,
  );

describe('listMemberGroupAccess', () => {
  it('lists doors and actions of rules that are not saved yet', () => {
    expect(accessBy({ gadget_id: 'gad_1', action_id: 'open', access_methods: { pin: true } })).toEqual([
      'gad_1 open pin',
    ]);
    expect(accessBy({ site_id: 'site_2', access_methods: { card: true } })).toEqual(['gad_2 open card']);
  });

  it('combines inherited rules with the restrictions of the rule', () => {
    expect(accessBy({ member_group_id: 'mg_parent', access_methods: { pin: true, online: true } })).toEqual([
      'gad_1 open pin',
      'gad_1 lock pin',
    ]);
  });

  it('leaves out rules for deleted objects, and schedules at a site without a time zone', () => {
    expect(accessBy({ gadget_id: 'gad_gone' }, { member_group_id: 'mg_gone' })).toEqual([]);
    expect(accessBy({ schedule_id: 'sch_1', access_methods: { pin: true } })).toEqual([
      'gad_1 open pin',
      'gad_1 lock pin',
    ]);
  });
});
