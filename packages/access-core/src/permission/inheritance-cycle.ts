import type { PermissionRule } from '../access-data-types.ts';
import type { MemberGroupId } from '../ids.ts';

const inherited = (rules: readonly PermissionRule[]): readonly MemberGroupId[] =>
  rules.flatMap(({ member_group_id }) => (member_group_id == null ? [] : [member_group_id]));

/**
 * Returns the cycle, from the group back to itself, that these rules would create, or null. `lookup` returns the
 * current rules of another group, or undefined if it does not exist.
 */
export const findInheritanceCycle = (
  groupId: MemberGroupId,
  rules: readonly PermissionRule[],
  lookup: (id: MemberGroupId) => readonly PermissionRule[] | undefined,
): readonly MemberGroupId[] | null => {
  const reachedFrom = new Map<MemberGroupId, MemberGroupId>();
  const pathTo = (end: MemberGroupId): MemberGroupId[] => {
    const path = [end];
    for (let at = end; at !== groupId; path.push(at)) at = reachedFrom.get(at)!;
    return path.reverse();
  };
  const waiting = [groupId];
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    for (const next of inherited(from === groupId ? rules : (lookup(from) ?? []))) {
      if (next === groupId) return [...pathTo(from), groupId];
      if (reachedFrom.has(next)) continue;
      reachedFrom.set(next, from);
      waiting.push(next);
    }
  }
  return null;
};
