import type { PermissionRule } from '@lintel/access-core/access-model';
import type { Structure, StructureGadget } from './structure.ts';

/** A rule that refers to what is gone opens nothing. */
const isWhole = ({ gadgets, sites, schedules, groups }: Structure, rule: PermissionRule): boolean =>
  (rule.gadget_id == null || gadgets.has(rule.gadget_id)) &&
  (rule.site_id == null || sites.has(rule.site_id)) &&
  (rule.schedule_id == null || schedules.has(rule.schedule_id)) &&
  (rule.member_group_id == null || groups.has(rule.member_group_id));

const aimsAt = ({ gadget_id, site_id, action_id }: PermissionRule, gadget: StructureGadget): boolean =>
  (gadget_id == null || gadget_id === gadget.id) &&
  (site_id == null || site_id === gadget.site_id) &&
  (action_id == null || gadget.actions.some(({ id }) => id === action_id));

/** Whether some rule of the group could open the gadget, at whatever time and by whatever means. */
const reaches = (
  structure: Structure,
  groupId: string,
  gadget: StructureGadget,
  known: Map<string, boolean>,
): boolean => {
  const before = known.get(groupId);
  if (before !== undefined) return before;
  // Cycles are refused when they are written; one that is there all the same ends here.
  known.set(groupId, false);
  const reached = (structure.groups.get(groupId)?.permissions ?? []).some(
    rule =>
      isWhole(structure, rule) &&
      aimsAt(rule, gadget) &&
      (rule.member_group_id == null || reaches(structure, rule.member_group_id, gadget, known)),
  );
  known.set(groupId, reached);
  return reached;
};

/** The groups of which a controller must know members to open these gadgets. */
export const relevantGroups = (structure: Structure, targets: Iterable<string>): Set<string> => {
  const relevant = new Set<string>();
  for (const id of targets) {
    const gadget = structure.gadgets.get(id);
    if (gadget === undefined) continue;
    const known = new Map<string, boolean>();
    for (const groupId of structure.groups.keys()) {
      if (reaches(structure, groupId, gadget, known)) relevant.add(groupId);
    }
  }
  return relevant;
};
