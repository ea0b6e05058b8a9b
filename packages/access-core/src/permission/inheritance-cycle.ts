import type { PermissionRule } from '../access-model.ts';
import type { MemberGroupId } from '../ids.ts';

const inherited = (rules: readonly PermissionRule[]): readonly MemberGroupId[] =>
  rules.flatMap(({ member_group_id }) => (member_group_id == null ? [] : [member_group_id]));

/**
 * Would these rules make the group inherit from itself? Answers with the way round, from the group back to the group, or
 * null. `lookup` gives the rules that another group has now, undefined for a group that is not there.
 */
export const findInheritanceCycle = (
  groupId: MemberGroupId,
  rules: readonly PermissionRule[],
  lookup: (id: MemberGroupId) => readonly PermissionRule[] | undefined,
): readonly MemberGroupId[] | null => {
  const reachedFrom = new Map<MemberGroupId, MemberGroupId>();
  const wayTo = (end: MemberGroupId): MemberGroupId[] => {
    const way = [end];
    for (let at = end; at !== groupId; way.push(at)) at = reachedFrom.get(at)!;
    return way.reverse();
  };
  const waiting = [groupId];
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    for (const next of inherited(from === groupId ? rules : (lookup(from) ?? []))) {
      if (next === groupId) return [...wayTo(from), groupId];
      if (reachedFrom.has(next)) continue;
      reachedFrom.set(next, from);
      waiting.push(next);
    }
  }
  return null;
};
