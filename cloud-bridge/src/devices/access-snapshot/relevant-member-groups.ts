import type { PermissionRule } from '@lintel/access-core/access-data-types';
import type { OrganizationWithoutMembers, ParsedGadgetRow } from './organization-without-members.ts';

/** A rule with a reference to a deleted object grants nothing. */
const hasValidReferences = (
  { gadgets, sites, schedules, groups }: OrganizationWithoutMembers,
  rule: PermissionRule,
): boolean =>
  (rule.gadget_id == null || gadgets.has(rule.gadget_id)) &&
  (rule.site_id == null || sites.has(rule.site_id)) &&
  (rule.schedule_id == null || schedules.has(rule.schedule_id)) &&
  (rule.member_group_id == null || groups.has(rule.member_group_id));

const matchesGadget = ({ gadget_id, site_id, action_id }: PermissionRule, gadget: ParsedGadgetRow): boolean =>
  (gadget_id == null || gadget_id === gadget.id) &&
  (site_id == null || site_id === gadget.site_id) &&
  (action_id == null || gadget.actions.some(({ id }) => id === action_id));

/** Whether any rule of the group can grant the gadget, regardless of time and access method. */
const canGrant = (
  structure: OrganizationWithoutMembers,
  groupId: string,
  gadget: ParsedGadgetRow,
  results: Map<string, boolean>,
): boolean => {
  const cached = results.get(groupId);
  if (cached !== undefined) return cached;
  // Ends the recursion in case of a cycle, although the API rejects cycles.
  results.set(groupId, false);
  const result = (structure.groups.get(groupId)?.permissions ?? []).some(
    rule =>
      hasValidReferences(structure, rule) &&
      matchesGadget(rule, gadget) &&
      (rule.member_group_id == null || canGrant(structure, rule.member_group_id, gadget, results)),
  );
  results.set(groupId, result);
  return result;
};

/** The groups whose members a controller needs to operate these gadgets. */
export const collectRelevantMemberGroups = (
  structure: OrganizationWithoutMembers,
  targets: Iterable<string>,
): Set<string> => {
  const relevant = new Set<string>();
  for (const id of targets) {
    const gadget = structure.gadgets.get(id);
    if (gadget === undefined) continue;
    const results = new Map<string, boolean>();
    for (const groupId of structure.groups.keys()) {
      if (canGrant(structure, groupId, gadget, results)) relevant.add(groupId);
    }
  }
  return relevant;
};
