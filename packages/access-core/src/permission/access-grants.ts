import {
  type AccessMethod,
  accessMethods,
  type Gadget,
  type GroupAssociation,
  type Member,
} from '../access-data-types.ts';
import type { GroupAssociationId, ScheduleId } from '../ids.ts';
import type { Instant } from '../instant.ts';
import { resolveTimeZone } from '../time-zone.ts';
import type { AccessDataSource } from './access-data-source-interface.ts';
import type { PermissionRulePath } from './decision-types.ts';
import { type EffectivePermissionRule, listEffectivePermissionRules } from './effective-rules.ts';
import { permissionRuleAllowsMethod, permissionRuleMatchesTarget } from './rule-filters.ts';
import { checkValidity } from './validity.ts';

/** A way in which a member may perform an action, now or later. */
export interface AccessGrant {
  readonly association_id: GroupAssociationId;
  readonly rule: PermissionRulePath;
  readonly access_methods: readonly AccessMethod[];
  /** Access is limited to times that are inside all of these. */
  readonly schedule_ids: readonly ScheduleId[];
  readonly requires_presence: boolean;
  readonly starts_at: Instant | null;
  readonly ends_at: Instant | null;
}

/** The rules of a member that grant access now or later, for any gadget. */
export interface MemberPermissionRules {
  readonly rules: readonly { readonly association: GroupAssociation; readonly rule: EffectivePermissionRule }[];
  /** False if inheritance produces too many rules to list. */
  readonly complete: boolean;
}

const latest = (a: Instant | null, b: Instant | null): Instant | null => (a === null || (b !== null && b > a) ? b : a);
const earliest = (a: Instant | null, b: Instant | null): Instant | null =>
  a === null || (b !== null && b < a) ? b : a;

/** The times in which both the member and the association are valid. */
const limitTo = (member: Member, association: GroupAssociation): GroupAssociation => ({
  ...association,
  starts_at: latest(member.starts_at, association.starts_at),
  ends_at: earliest(member.ends_at, association.ends_at),
});

const isEmpty = ({ starts_at, ends_at }: GroupAssociation): boolean =>
  starts_at !== null && ends_at !== null && starts_at >= ends_at;

export const listMemberPermissionRules = (
  world: AccessDataSource,
  member: Member,
  now: Instant,
): MemberPermissionRules => {
  const associations = member.is_deleted
    ? []
    : member.group_associations
        .map(association => limitTo(member, association))
        .filter(association => !isEmpty(association) && checkValidity(association, now) !== 'ended');
  const found = associations.map(association => ({
    association,
    ...listEffectivePermissionRules(world, association.member_group_id, () => true),
  }));
  return {
    rules: found.flatMap(({ association, rules }) => rules.map(rule => ({ association, rule }))),
    complete: found.every(({ complete }) => complete),
  };
};

const isEverInside = (world: AccessDataSource, gadget: Gadget, scheduleIds: readonly ScheduleId[]): boolean => {
  if (scheduleIds.length === 0) return true;
  // Without local time the site's schedules never match.
  if (!resolveTimeZone(world.site(gadget.site_id)?.timezone ?? null).ok) return false;
  return scheduleIds.every(id => world.schedule(id)?.weekdays.some(({ ranges }) => ranges.length > 0) === true);
};

/** How the member may perform the action, now or later. */
export const listGrantsForAction = (
  world: AccessDataSource,
  { rules }: MemberPermissionRules,
  gadget: Gadget,
  actionId: string,
): AccessGrant[] =>
  rules.flatMap(({ association, rule: { links, member_group_id, path } }) => {
    if (!links.every(link => permissionRuleMatchesTarget(link, gadget, actionId))) return [];
    const access_methods = accessMethods.filter(method =>
      links.every(link => permissionRuleAllowsMethod(link, method)),
    );
    const schedule_ids = [...new Set(links.flatMap(({ schedule_id }) => schedule_id ?? []))];
    if (access_methods.length === 0 || !isEverInside(world, gadget, schedule_ids)) return [];
    const { id, starts_at, ends_at } = association;
    const requires_presence = links.some(({ presence }) => presence === 'gps');
    const rule = { member_group_id, path };
    return [{ association_id: id, rule, access_methods, schedule_ids, requires_presence, starts_at, ends_at }];
  });
