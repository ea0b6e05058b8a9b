import { type AccessMethod, accessMethods, type Gadget, type PermissionRule } from '../access-data-types.ts';
import type { MemberGroupId } from '../ids.ts';
import type { CompiledSchedule } from '../schedule.ts';
import type { AccessDataSource } from '../permission/access-data-source-interface.ts';
import type { PermissionRulePath } from '../permission/decision-types.ts';
import { type EffectivePermissionRule, listEffectivePermissionRules } from '../permission/effective-rules.ts';
import { permissionRuleAllowsMethod, permissionRuleMatchesTarget } from '../permission/rule-filters.ts';

/** A switch, because a lookup by a dynamic name is several times slower. */
export const toAccessMethodBit = (method: AccessMethod): number => {
  switch (method) {
    case 'online':
      return 1;
    case 'bluetooth':
      return 2;
    case 'mobile_nfc':
      return 4;
    case 'pin':
      return 8;
    case 'card':
      return 16;
    default:
      return 0;
  }
};

/** An effective rule for a matching target, with the remaining checks. */
export interface CompiledPermissionRule {
  readonly methods: number;
  readonly schedules: readonly CompiledSchedule[];
  readonly needsPresence: boolean;
  readonly source: PermissionRulePath;
}

const methodsOf = (links: readonly PermissionRule[]): number =>
  accessMethods
    .filter(method => links.every(rule => permissionRuleAllowsMethod(rule, method)))
    .reduce((mask, method) => mask | toAccessMethodBit(method), 0);

const compile = (
  { links, member_group_id, path }: EffectivePermissionRule,
  compiled: (rule: PermissionRule) => CompiledSchedule | null,
): CompiledPermissionRule => ({
  methods: methodsOf(links),
  schedules: [...new Set(links.map(compiled).filter(schedule => schedule !== null))],
  needsPresence: links.some(({ presence }) => presence === 'gps'),
  source: Object.freeze({ member_group_id, path: Object.freeze(path) }),
});

/** Whether every request that passes `other` also passes `rule`. */
const covers = (rule: CompiledPermissionRule, other: CompiledPermissionRule): boolean =>
  (rule.methods & other.methods) === other.methods &&
  (!rule.needsPresence || other.needsPresence) &&
  rule.schedules.every(schedule => other.schedules.includes(schedule));

/** Limit of rules that do not cover one another; a longer list would be too slow at a door. */
const MOST_RULES = 1000;

/**
 * The rules of a group for one action of one gadget, in order, without those covered by an earlier one. Null if
 * inheritance produces too many.
 */
export const compilePermissionRules = (
  world: AccessDataSource,
  from: MemberGroupId,
  gadget: Gadget,
  actionId: string,
  scheduleOf: (rule: PermissionRule) => CompiledSchedule | null,
): readonly CompiledPermissionRule[] | null => {
  const { rules, complete } = listEffectivePermissionRules(world, from, rule =>
    permissionRuleMatchesTarget(rule, gadget, actionId),
  );
  if (!complete) return null;
  const kept: CompiledPermissionRule[] = [];
  for (const rule of rules) {
    const candidate = compile(rule, scheduleOf);
    if (kept.some(earlier => covers(earlier, candidate))) continue;
    if (kept.length === MOST_RULES) return null;
    kept.push(candidate);
  }
  return kept;
};
