import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import { type PermissionRuleObjects, listMemberGroupAccess } from '../access/member-group-access.ts';

type Rule = MemberGroupResponse['permissions'][number];

export interface SingleDoorChoice {
  readonly door: GadgetResponse;
  /** Null if the group for this door alone has to be created. */
  readonly groupId: string | null;
}

const OPEN = 'open';

/** Guests open a door; they do not hold it open or lock it. A gadget without that action is given with all of its own. */
export const createSingleDoorPermission = ({ id, actions }: GadgetResponse) => ({
  gadget_id: id,
  ...(actions.some(action => action.id === OPEN) ? { action_id: OPEN } : {}),
});

const isAtAnyTime = (rule: Rule): boolean =>
  rule.schedule_id == null &&
  rule.member_group_id == null &&
  rule.access_methods == null &&
  (rule.presence == null || rule.presence === 'none');

/** Groups that only let people open one door stand for that door; access always goes through a group. */
export const findSingleDoorMemberGroup = (groups: readonly MemberGroupResponse[], door: GadgetResponse) => {
  const { gadget_id, action_id } = { action_id: null, ...createSingleDoorPermission(door) };
  return groups.find(
    ({ permissions: [rule, ...others] }) =>
      rule !== undefined &&
      others.length === 0 &&
      rule.gadget_id === gadget_id &&
      (rule.action_id ?? null) === action_id &&
      isAtAnyTime(rule),
  );
};

/** Whether the list of groups already offers the door: by a group with its name or for it alone. */
const isOfferedAsGroup = (groups: readonly MemberGroupResponse[], door: GadgetResponse): boolean =>
  groups.some(({ name, permissions }) => {
    const own = permissions.filter(({ gadget_id }) => gadget_id === door.id);
    if (own.length === 0) return false;
    return name === door.name || (own.length === permissions.length && own.every(isAtAnyTime));
  });

/**
 * The doors that can be given one by one, without those that a group stands for. Without the permission to create
 * groups, only those that have a group.
 */
export const listSingleDoorChoices = (
  doors: readonly GadgetResponse[],
  groups: readonly MemberGroupResponse[],
  canCreateGroups: boolean,
): readonly SingleDoorChoice[] =>
  doors
    .map(door => ({ door, groupId: findSingleDoorMemberGroup(groups, door)?.id ?? null }))
    .filter(({ door, groupId }) => groupId !== null || (canCreateGroups && !isOfferedAsGroup(groups, door)));

/** The doors that no group gives alone. An administrator has to create one. */
export const listDoorsWithoutGroup = (
  doors: readonly GadgetResponse[],
  groups: readonly MemberGroupResponse[],
): readonly GadgetResponse[] =>
  doors.filter(door => findSingleDoorMemberGroup(groups, door) === undefined && !isOfferedAsGroup(groups, door));

/** The doors that members of the group can use. */
export const listMemberGroupDoors = (
  objects: PermissionRuleObjects,
  group: MemberGroupResponse,
): readonly GadgetResponse[] => {
  const ids = new Set(listMemberGroupAccess(objects, group.id, group.permissions).map(({ gadget_id }) => gadget_id));
  return objects.doors.filter(({ id }) => ids.has(id));
};
