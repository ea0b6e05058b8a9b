import type { PermissionRule } from '../access-data-types.ts';
import type { MemberGroupId } from '../ids.ts';
import type { AccessDataSource } from './access-data-source-interface.ts';
import type { PermissionRulePath } from './decision-types.ts';

/**
 * A rule that inherits stands for every effective rule of the other group, combined with its own restrictions (AND).
 * An effective rule is therefore a chain of rules, from the group's own rule to one that does not inherit, and passes
 * if every link passes.
 */
export interface EffectivePermissionRule extends PermissionRulePath {
  readonly links: readonly PermissionRule[];
}

export interface IgnoredPermissionRule {
  readonly member_group_id: MemberGroupId;
  readonly index: number;
}

const isLiving = (object: { readonly is_deleted: boolean } | undefined): boolean =>
  object !== undefined && !object.is_deleted;

/** The calculation ignores rules that refer to a deleted or missing schedule, gadget, site or group. */
const refersToLiving = (world: AccessDataSource, rule: PermissionRule): boolean =>
  (rule.schedule_id == null || isLiving(world.schedule(rule.schedule_id))) &&
  (rule.gadget_id == null || isLiving(world.gadget(rule.gadget_id))) &&
  (rule.site_id == null || isLiving(world.site(rule.site_id))) &&
  (rule.member_group_id == null || isLiving(world.memberGroup(rule.member_group_id)));

/** The ignored rules of the group and of all groups that it inherits from. */
export const listIgnoredPermissionRules = (
  world: AccessDataSource,
  from: MemberGroupId,
): readonly IgnoredPermissionRule[] => {
  const reached = new Set([from]);
  const dropped: IgnoredPermissionRule[] = [];
  for (const id of reached) {
    for (const [index, rule] of (world.memberGroup(id)?.permissions ?? []).entries()) {
      if (!refersToLiving(world, rule)) dropped.push({ member_group_id: id, index });
      else if (rule.member_group_id != null) reached.add(rule.member_group_id);
    }
  }
  return dropped;
};

interface Floor {
  readonly group: MemberGroupId;
  readonly rules: readonly PermissionRule[];
  at: number;
}

interface Walk {
  readonly world: AccessDataSource;
  readonly from: MemberGroupId;
  readonly keeps: (rule: PermissionRule) => boolean;
  /**
   * Whether to enter a group again on another branch. Without it the walk is linear, and only its first result is
   * meaningful.
   */
  readonly everyBranch: boolean;
  readonly mostSteps: number;
}

const found = (from: MemberGroupId, floors: readonly Floor[]): EffectivePermissionRule => ({
  member_group_id: from,
  path: floors.map(({ at }) => at),
  links: floors.map(({ rules, at }) => rules[at]!),
});

/**
 * Depth first in rule order, with an explicit stack, because inheritance may exceed the call stack. A group is not
 * entered twice on one branch, so cycles in bad data end. This loses nothing: the same chain without the cycle has
 * fewer restrictions.
 */
function* walk({ world, from, keeps, everyBranch, mostSteps }: Walk): Generator<EffectivePermissionRule, boolean> {
  const entered = new Set<MemberGroupId>();
  const floors: Floor[] = [];
  const enter = (id: MemberGroupId): void => {
    const group = world.memberGroup(id);
    if (group === undefined || group.is_deleted || entered.has(id)) return;
    entered.add(id);
    floors.push({ group: id, rules: group.permissions, at: -1 });
  };
  enter(from);
  for (let steps = 0; floors.length > 0; steps++) {
    if (steps === mostSteps) return false;
    const floor = floors.at(-1)!;
    const rule = floor.rules[++floor.at];
    if (rule === undefined) {
      floors.pop();
      if (everyBranch) entered.delete(floor.group);
    } else if (refersToLiving(world, rule) && keeps(rule)) {
      if (rule.member_group_id == null) yield found(from, floors);
      else enter(rule.member_group_id);
    }
  }
  return true;
}

/** The first effective rule, in rule order, whose links all pass. Linear in the number of rules. */
export const findFirstEffectivePermissionRule = (
  world: AccessDataSource,
  from: MemberGroupId,
  keeps: (rule: PermissionRule) => boolean,
): EffectivePermissionRule | null => {
  const first = walk({ world, from, keeps, everyBranch: false, mostSteps: Number.POSITIVE_INFINITY }).next();
  return first.done === true ? null : first.value;
};

/**
 * All effective rules whose links all pass, in order. Groups that fork and join multiply their rules per level;
 * `complete` is false if the list was truncated.
 */
export const listEffectivePermissionRules = (
  world: AccessDataSource,
  from: MemberGroupId,
  keeps: (rule: PermissionRule) => boolean,
  mostSteps = 10_000,
): { readonly rules: readonly EffectivePermissionRule[]; readonly complete: boolean } => {
  const rules: EffectivePermissionRule[] = [];
  const steps = walk({ world, from, keeps, everyBranch: true, mostSteps });
  for (let next = steps.next(); ; next = steps.next()) {
    if (next.done === true) return { rules, complete: next.value };
    rules.push(next.value);
  }
};
