import type { MemberGroup, PermissionRule } from '@lintel/access-core/access-data-types';
import type { AccessDataSource } from '@lintel/access-core/permission/access-data-source-interface';
import { sql } from 'kysely';
import {
  loadMemberAssociationsAndGroups,
  loadMemberAccessDataForGadgets,
  type OrganizationQueryContext,
} from '../access/load-member-access-data.ts';
import { buildIdInExpression } from '../queries/sql-conditions.ts';
import type { GadgetRow, MemberRow } from '../storage/schema.ts';

interface RuleTargets {
  /** A rule can apply to any door of the organization. */
  readonly isEverywhere: boolean;
  readonly gadgetIds: readonly string[];
  readonly siteIds: readonly string[];
}

/** A superset of the doors that the rules apply to: inherited rules only narrow it, and each door is decided later. */
const ruleTargetsOf = (groups: Iterable<MemberGroup>): RuleTargets => {
  const rules: PermissionRule[] = [...groups].flatMap(({ permissions }) =>
    permissions.filter(rule => rule.member_group_id == null),
  );
  return {
    isEverywhere: rules.some(rule => rule.gadget_id == null && rule.site_id == null),
    gadgetIds: rules.flatMap(rule => rule.gadget_id ?? []),
    siteIds: rules.flatMap(rule => rule.site_id ?? []),
  };
};

const findTargetGadgets = async (
  { db, engine, organizationId }: OrganizationQueryContext,
  { isEverywhere, gadgetIds, siteIds }: RuleTargets,
): Promise<GadgetRow[]> => {
  const named = sql`(${buildIdInExpression(engine, sql`g.id`, gadgetIds)} or ${buildIdInExpression(engine, sql`g.site_id`, siteIds)})`;
  const { rows } = await sql<GadgetRow>`select g.* from gadgets as g
    inner join sites as s on s.id = g.site_id and s.is_deleted = 0
    inner join devices as d on d.id = g.device_id and d.is_deleted = 0
    where g.organization_id = ${organizationId} and g.is_deleted = 0 ${isEverywhere ? sql`` : sql`and ${named}`}
    order by s.created_at, s.id, g.created_at, g.id`.execute(db);
  return rows;
};

export interface GuestCandidateGadgets {
  readonly accessData: AccessDataSource;
  /** Every door that a rule can apply to, and possibly more. */
  readonly gadgets: readonly GadgetRow[];
}

export const loadGuestCandidateGadgets = async (
  place: OrganizationQueryContext,
  member: MemberRow,
): Promise<GuestCandidateGadgets> => {
  const held = await loadMemberAssociationsAndGroups(place, member.id);
  const gadgets = await findTargetGadgets(place, ruleTargetsOf(held.groups.values()));
  return { accessData: await loadMemberAccessDataForGadgets(place, member, held, gadgets), gadgets };
};
