import type { PermissionRule } from '../access-model.ts';
import type { MemberGroupId } from '../ids.ts';
import type { AccessWorld } from './access-world.ts';
import type { GrantingRule } from './decision.ts';

/**
 * A rule that inherits stands for every effective rule of the other group with its own restrictions ANDed on top. An
 * effective rule is therefore a chain of rules, from the group's own rule down to one that inherits nothing, and it
 * passes what every link passes.
 */
export interface EffectiveRule extends GrantingRule {
  readonly links: readonly PermissionRule[];
}

export interface DroppedRule {
  readonly member_group_id: MemberGroupId;
  readonly index: number;
}

const isLiving = (object: { readonly is_deleted: boolean } | undefined): boolean =>
  object !== undefined && !object.is_deleted;

/** A rule that refers to a deleted or missing schedule, gadget, site or group does not exist for the calculation. */
const refersToLiving = (world: AccessWorld, rule: PermissionRule): boolean =>
  (rule.schedule_id == null || isLiving(world.schedule(rule.schedule_id))) &&
  (rule.gadget_id == null || isLiving(world.gadget(rule.gadget_id))) &&
  (rule.site_id == null || isLiving(world.site(rule.site_id))) &&
  (rule.member_group_id == null || isLiving(world.memberGroup(rule.member_group_id)));

/** The rules that do not exist for the calculation, of the group and of all that it inherits from. */
export const droppedRules = (world: AccessWorld, from: MemberGroupId): readonly DroppedRule[] => {
  const reached = new Set([from]);
  const dropped: DroppedRule[] = [];
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
  readonly world: AccessWorld;
  readonly from: MemberGroupId;
  readonly keeps: (rule: PermissionRule) => boolean;
  /** Enter a group again on another branch. Without it the walk is linear, and only its first find means anything. */
  readonly everyBranch: boolean;
  readonly mostSteps: number;
}

const found = (from: MemberGroupId, floors: readonly Floor[]): EffectiveRule => ({
  member_group_id: from,
  path: floors.map(({ at }) => at),
  links: floors.map(({ rules, at }) => rules[at]!),
});

/**
 * Depth first, in the order of the rules, on a stack of our own: inheritance may be deeper than the machine's. A group
 * that the current branch has already entered is not entered again, so bad data with a cycle ends too. Nothing is lost by
 * that: the same chain without the round trip has fewer restrictions.
 */
function* walk({ world, from, keeps, everyBranch, mostSteps }: Walk): Generator<EffectiveRule, boolean> {
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

/** The first effective rule, in the order of the rules, whose links all pass. Linear in the number of rules. */
export const firstEffectiveRule = (
  world: AccessWorld,
  from: MemberGroupId,
  keeps: (rule: PermissionRule) => boolean,
): EffectiveRule | null => {
  const first = walk({ world, from, keeps, everyBranch: false, mostSteps: Number.POSITIVE_INFINITY }).next();
  return first.done === true ? null : first.value;
};

/**
 * Every effective rule whose links all pass, in order. Groups that fork and join again multiply their rules with each
 * floor; `complete` is false when the list was cut short for that.
 */
export const effectiveRules = (
  world: AccessWorld,
  from: MemberGroupId,
  keeps: (rule: PermissionRule) => boolean,
  mostSteps = 10_000,
): { readonly rules: readonly EffectiveRule[]; readonly complete: boolean } => {
  const rules: EffectiveRule[] = [];
  const steps = walk({ world, from, keeps, everyBranch: true, mostSteps });
  for (let next = steps.next(); ; next = steps.next()) {
    if (next.done === true) return { rules, complete: next.value };
    rules.push(next.value);
  }
};
