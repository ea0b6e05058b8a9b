import type {
  Gadget,
  GroupAssociation,
  Member,
  MemberGroup,
  PermissionRule,
  Schedule,
  Site,
} from '@lintel/access-core/access-data-types';
import type { GadgetId, MemberGroupId, MemberId, ScheduleId, SiteId } from '@lintel/access-core/ids';
import type { Instant } from '@lintel/access-core/instant';
import type { AccessDataSource } from '@lintel/access-core/permission/access-data-source-interface';
import { type Kysely, sql } from 'kysely';
import { buildIdInExpression } from '../queries/sql-conditions.ts';
import type { DatabaseEngine } from '../storage/database-engine-type.ts';
import type { Database, GadgetRow, MemberGroupRow, MemberRow, ScheduleRow, SiteRow } from '../storage/schema.ts';

export interface OrganizationQueryContext {
  readonly db: Kysely<Database>;
  readonly engine: DatabaseEngine;
  readonly organizationId: string;
}

type OwnedTable = 'member_groups' | 'schedules' | 'gadgets' | 'sites';

const loadRows = async <T extends OwnedTable>(
  { db, engine, organizationId }: OrganizationQueryContext,
  table: T,
  ids: ReadonlySet<string>,
): Promise<Database[T][]> => {
  if (ids.size === 0) return [];
  const { rows } = await sql<Database[T]>`select t.* from ${sql.table(table)} as t
    where ${buildIdInExpression(engine, sql`t.id`, [...ids])} and t.organization_id = ${organizationId}`.execute(db);
  return rows;
};

const gadgetOf = (row: GadgetRow): Gadget => ({
  id: row.id as GadgetId,
  site_id: row.site_id as SiteId,
  is_deleted: row.is_deleted === 1,
  action_ids: (JSON.parse(row.actions) as { id: string }[]).map(({ id }) => id),
});

const siteOf = (row: SiteRow): Site => ({
  id: row.id as SiteId,
  is_deleted: row.is_deleted === 1,
  timezone: row.timezone,
  geo: row.geo === null ? null : (JSON.parse(row.geo) as Site['geo']),
});

const scheduleOf = (row: ScheduleRow): Schedule => ({
  id: row.id as ScheduleId,
  is_deleted: row.is_deleted === 1,
  weekdays: JSON.parse(row.weekdays) as Schedule['weekdays'],
});

const groupOf = (row: MemberGroupRow): MemberGroup => ({
  id: row.id as MemberGroupId,
  is_deleted: row.is_deleted === 1,
  permissions: JSON.parse(row.permissions) as PermissionRule[],
});

const loadAssociations = async (
  { db, organizationId }: OrganizationQueryContext,
  memberId: string,
): Promise<GroupAssociation[]> => {
  const rows = await db
    .selectFrom('member_group_associations')
    .select(['id', 'member_group_id', 'starts_at', 'ends_at'])
    .where('member_id', '=', memberId)
    .where('organization_id', '=', organizationId)
    .where('is_deleted', '=', 0)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows as GroupAssociation[];
};

const memberOf = (row: MemberRow, group_associations: readonly GroupAssociation[]): Member => ({
  id: row.id as MemberId,
  is_deleted: row.is_deleted === 1,
  starts_at: row.starts_at as Instant | null,
  ends_at: row.ends_at as Instant | null,
  group_associations,
  pins: [],
  cards: [],
  tokens: [],
});

/** Loads the groups and all groups that they inherit from, with one query for each level. */
const loadGroupsWithInherited = async (
  database: OrganizationQueryContext,
  startIds: Iterable<string>,
): Promise<Map<string, MemberGroup>> => {
  const groups = new Map<string, MemberGroup>();
  const loadedIds = new Set<string>();
  let pendingIds = new Set(startIds);
  while (pendingIds.size > 0) {
    for (const id of pendingIds) loadedIds.add(id);
    const found = (await loadRows(database, 'member_groups', pendingIds)).map(groupOf);
    for (const group of found) groups.set(group.id, group);
    pendingIds = new Set(idsReferencedBy(found, 'member_group_id').filter(id => !loadedIds.has(id)));
  }
  return groups;
};

const idsReferencedBy = (
  groups: Iterable<MemberGroup>,
  field: 'member_group_id' | 'schedule_id' | 'gadget_id' | 'site_id',
): string[] => [...groups].flatMap(({ permissions }) => permissions.flatMap(rule => rule[field] ?? []));

const byId = <T extends { readonly id: string }>(objects: readonly T[]): ReadonlyMap<string, T> =>
  new Map(objects.map(object => [object.id, object]));

/** The associations of a member and the groups that grant access through them. */
export interface MemberAssociationsAndGroups {
  readonly associations: readonly GroupAssociation[];
  readonly groups: ReadonlyMap<string, MemberGroup>;
}

export const loadMemberAssociationsAndGroups = async (
  database: OrganizationQueryContext,
  memberId: string,
): Promise<MemberAssociationsAndGroups> => {
  const associations = await loadAssociations(database, memberId);
  const startIds = associations.map(association => association.member_group_id);
  return { associations, groups: await loadGroupsWithInherited(database, startIds) };
};

/** Loads the data for access decisions about the member at these gadgets. */
export const loadMemberAccessDataForGadgets = async (
  database: OrganizationQueryContext,
  member: MemberRow,
  { associations, groups }: MemberAssociationsAndGroups,
  gadgetRows: readonly Pick<GadgetRow, 'id' | 'site_id'>[],
): Promise<AccessDataSource> => {
  const groupList = [...groups.values()];
  const schedules = byId(
    (await loadRows(database, 'schedules', new Set(idsReferencedBy(groupList, 'schedule_id')))).map(scheduleOf),
  );
  const gadgetIds = new Set([...idsReferencedBy(groupList, 'gadget_id'), ...gadgetRows.map(({ id }) => id)]);
  const gadgets = byId((await loadRows(database, 'gadgets', gadgetIds)).map(gadgetOf));
  const siteIds = new Set([...idsReferencedBy(groupList, 'site_id'), ...gadgetRows.map(({ site_id }) => site_id)]);
  const sites = byId((await loadRows(database, 'sites', siteIds)).map(siteOf));
  const memberData = memberOf(member, associations);
  return {
    member: id => (id === memberData.id ? memberData : undefined),
    memberGroup: id => groups.get(id),
    schedule: id => schedules.get(id),
    gadget: id => gadgets.get(id),
    site: id => sites.get(id),
  };
};

/** Loads the data for access decisions at one gadget. Omits credentials, which do not affect the decision. */
export const loadMemberAccessDataForGadget = async (
  database: OrganizationQueryContext,
  member: MemberRow,
  gadget: GadgetRow,
): Promise<AccessDataSource> =>
  loadMemberAccessDataForGadgets(database, member, await loadMemberAssociationsAndGroups(database, member.id), [
    gadget,
  ]);
