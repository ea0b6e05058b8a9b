import type { Member, PermissionRule } from '@lintel/access-core/access-data-types';
import { type EntityJson, preparsePolicySet, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs';
import {
  type AccessEngine,
  type EngineData,
  isValid,
  type WeekSecondsRange,
  weekRanges,
} from './access-engine-interface-and-input-conversion.ts';

const POLICIES = 'hotel';

const NEVER = 8.64e15;

/** Forbids everything for a member that is deleted or outside its dates. */
const validity = `forbid (principal, action, resource) when {
  principal.is_deleted || context.now < principal.starts_at || context.now >= principal.ends_at
};`;

const policyText = (
  groupId: string,
  rule: PermissionRule,
  ranges: ReadonlyMap<string, readonly WeekSecondsRange[]>,
): string => {
  const resource =
    rule.gadget_id == null ? `resource in Site::"${rule.site_id}"` : `resource == Gadget::"${rule.gadget_id}"`;
  const methods = Object.entries(rule.access_methods ?? {}).flatMap(([method, allowed]) =>
    allowed ? [`"${method}"`] : [],
  );
  const times = (rule.schedule_id == null ? [] : ranges.get(rule.schedule_id)!).map(
    ({ start, end }) => `(context.second >= ${start} && context.second < ${end})`,
  );
  const conditions = [
    ...(rule.access_methods == null ? [] : [`[${methods.join(', ')}].contains(context.method)`]),
    ...(rule.schedule_id == null ? [] : [`(${times.join(' || ')})`]),
  ];
  const when = conditions.length === 0 ? '' : ` when { ${conditions.join(' && ')} }`;
  return `permit (principal in Group::"${groupId}", action == Action::"open", ${resource})${when};`;
};

const memberEntity = (member: Member, now: number | null): EntityJson => ({
  uid: { type: 'Member', id: member.id },
  attrs: { is_deleted: member.is_deleted, starts_at: member.starts_at ?? -NEVER, ends_at: member.ends_at ?? NEVER },
  parents: member.group_associations
    .filter(association => now === null || isValid(association, now))
    .map(({ member_group_id }) => ({ type: 'Group', id: member_group_id })),
});

/** Policies are parsed once. Each call passes only the entities that it needs. */
export const cedarEngine = ({ hotel, members }: EngineData): AccessEngine => {
  const ranges = weekRanges(hotel);
  const permits = hotel.member_groups.flatMap(({ id, permissions }) =>
    permissions.map(rule => policyText(id, rule, ranges)),
  );
  const parsed = preparsePolicySet(POLICIES, { staticPolicies: [validity, ...permits].join('\n') });
  if (parsed.type === 'failure') throw new Error(parsed.errors.map(({ message }) => message).join('; '));

  const gadgets = new Map<string, EntityJson>(
    hotel.gadgets.map(({ id, site_id }) => [
      id,
      { uid: { type: 'Gadget', id }, attrs: {}, parents: [{ type: 'Site', id: site_id }] },
    ]),
  );
  const byId = new Map<string, Member>(members.map(member => [member.id, member]));
  const unlimitedMembers = new Map<string, EntityJson>(
    members
      .filter(({ group_associations }) => group_associations.every(({ ends_at }) => ends_at === null))
      .map(member => [member.id, memberEntity(member, null)]),
  );
  return ({ member_id, gadget_id, access_method, local_second, now }) => {
    const result = statefulIsAuthorized({
      principal: { type: 'Member', id: member_id },
      action: { type: 'Action', id: 'open' },
      resource: { type: 'Gadget', id: gadget_id },
      context: { method: access_method, second: local_second, now },
      preparsedPolicySetId: POLICIES,
      entities: [unlimitedMembers.get(member_id) ?? memberEntity(byId.get(member_id)!, now), gadgets.get(gadget_id)!],
    });
    return result.type === 'success' && result.response.decision === 'allow';
  };
};
