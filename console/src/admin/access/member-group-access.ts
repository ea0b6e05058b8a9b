import type { Gadget, Member } from '@lintel/access-core/access-data-types';
import type { GroupAssociationId, MemberGroupId, MemberId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import type { AccessDataSource } from '@lintel/access-core/permission/access-data-source-interface';
import { listGrantsForAction, listMemberPermissionRules } from '@lintel/access-core/permission/access-grants';
import type { ActionAccess } from '@lintel/wire-protocol/admin/effective-access';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import type { ScheduleResponse } from '@lintel/wire-protocol/rest/schedule';
import type { SiteResponse } from '@lintel/wire-protocol/rest/site';

export type MemberGroupPermission = MemberGroupResponse['permissions'][number];

export interface PermissionRuleObjects {
  readonly groups: readonly MemberGroupResponse[];
  readonly schedules: readonly ScheduleResponse[];
  readonly doors: readonly GadgetResponse[];
  readonly sites: readonly SiteResponse[];
}

const toGadget = ({ id, site_id, is_deleted, actions }: GadgetResponse): Gadget => ({
  id,
  site_id,
  is_deleted,
  action_ids: actions.map(action => action.id),
});

const byId = <T extends { readonly id: string }>(objects: readonly T[]): ReadonlyMap<string, T> =>
  new Map(objects.map(object => [object.id, object]));

/** The data of the permission calculation, with other rules for one group. */
const accessDataOf = (
  objects: PermissionRuleObjects,
  groupId: string,
  permissions: readonly MemberGroupPermission[],
): AccessDataSource => {
  const groups = byId(objects.groups);
  const schedules = byId(objects.schedules);
  const doors = byId(objects.doors);
  const sites = byId(objects.sites);
  return {
    member: () => undefined,
    memberGroup: id => {
      const rules = id === groupId ? permissions : groups.get(id)?.permissions;
      return rules === undefined ? undefined : { id, is_deleted: false, permissions: rules as never };
    },
    schedule: id => schedules.get(id),
    gadget: id => {
      const door = doors.get(id);
      return door === undefined ? undefined : toGadget(door);
    },
    site: id => sites.get(id),
  };
};

const memberOf = (groupId: string): Member => ({
  id: 'mem_preview' as MemberId,
  is_deleted: false,
  starts_at: null,
  ends_at: null,
  group_associations: [
    {
      id: 'mga_preview' as GroupAssociationId,
      member_group_id: groupId as MemberGroupId,
      starts_at: null,
      ends_at: null,
    },
  ],
  pins: [],
  cards: [],
  tokens: [],
});

/** What a member of the group may do if the group had these rules: the calculation that the doors use. */
export const listMemberGroupAccess = (
  objects: PermissionRuleObjects,
  groupId: string,
  permissions: readonly MemberGroupPermission[],
): readonly ActionAccess[] => {
  const data = accessDataOf(objects, groupId, permissions);
  // The member has no dates, so the time does not matter.
  const rules = listMemberPermissionRules(data, memberOf(groupId), instant(0));
  return objects.doors.flatMap(door =>
    door.actions.flatMap(({ id }): ActionAccess[] => {
      const grants = listGrantsForAction(data, rules, toGadget(door), id).map(grant => ({
        member_group_association_id: grant.association_id,
        member_group_id: grant.rule.member_group_id,
        access_methods: [...grant.access_methods],
        schedule_ids: [...grant.schedule_ids],
        requires_presence: grant.requires_presence,
        starts_at: null,
        ends_at: null,
      }));
      return grants.length === 0 ? [] : [{ gadget_id: door.id, site_id: door.site_id, action_id: id, grants }];
    }),
  );
};
