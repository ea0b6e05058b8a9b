import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import { type PermissionRuleObjects, listMemberGroupAccess } from '../access/group-access.ts';

type Rule = MemberGroupResponse['permissions'][number];

export interface DoorChoice {
  readonly door: GadgetResponse;
  /** Null if the group for this door alone has to be created. */
  readonly groupId: string | null;
}

const isUnrestrictedRuleFor = (rule: Rule, gadgetId: string): boolean =>
  rule.gadget_id === gadgetId &&
  rule.action_id == null &&
  rule.schedule_id == null &&
  rule.member_group_id == null &&
  rule.access_methods == null &&
  (rule.presence == null || rule.presence === 'none');

/** Groups that grant exactly one door stand for that door; access always goes through a group. */
export const findSingleDoorMemberGroup = (groups: readonly MemberGroupResponse[], gadgetId: string) =>
  groups.find(({ permissions: [rule, ...others] }) => {
    return rule !== undefined && others.length === 0 && isUnrestrictedRuleFor(rule, gadgetId);
  });

/** The doors that can be given one by one. Without the permission to create groups, only those that have a group. */
export const listSingleDoorChoices = (
  doors: readonly GadgetResponse[],
  groups: readonly MemberGroupResponse[],
  canCreateGroups: boolean,
): readonly DoorChoice[] =>
  doors
    .map(door => ({ door, groupId: findSingleDoorMemberGroup(groups, door.id)?.id ?? null }))
    .filter(({ groupId }) => groupId !== null || canCreateGroups);

/** The doors that members of the group can use. */
export const listMemberGroupDoors = (
  objects: PermissionRuleObjects,
  group: MemberGroupResponse,
): readonly GadgetResponse[] => {
  const ids = new Set(listMemberGroupAccess(objects, group.id, group.permissions).map(({ gadget_id }) => gadget_id));
  return objects.doors.filter(({ id }) => ids.has(id));
};
