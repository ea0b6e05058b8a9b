import type {
  Gadget,
  GroupAssociation,
  Member,
  MemberGroup,
  PermissionRule,
  Schedule,
  Site,
} from '@lintel/access-core/access-model';
import type { GadgetId, MemberGroupId, MemberId, ScheduleId, SiteId } from '@lintel/access-core/ids';
import type { Instant } from '@lintel/access-core/instant';
import type { AccessWorld } from '@lintel/access-core/permission/access-world';
import { type Kysely, sql } from 'kysely';
import { isAmong } from '../queries/conditions.ts';
import type { Engine } from '../storage/engine.ts';
import type { Database, GadgetRow, MemberGroupRow, MemberRow, ScheduleRow, SiteRow } from '../storage/schema.ts';

export interface Place {
  readonly db: Kysely<Database>;
  readonly engine: Engine;
  readonly organizationId: string;
}

type OwnedTable = 'member_groups' | 'schedules' | 'gadgets' | 'sites';

const rowsOf = async <T extends OwnedTable>(
  { db, engine, organizationId }: Place,
  table: T,
  ids: ReadonlySet<string>,
): Promise<Database[T][]> => {
  if (ids.size === 0) return [];
  const { rows } = await sql<Database[T]>`select t.* from ${sql.table(table)} as t
    where ${isAmong(engine, sql`t.id`, [...ids])} and t.organization_id = ${organizationId}`.execute(db);
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

const livingAssociations = async ({ db, organizationId }: Place, memberId: string): Promise<GroupAssociation[]> => {
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

/** The groups and all that they inherit from, floor by floor: one query for each depth. */
const groupsFrom = async (place: Place, first: Iterable<string>): Promise<Map<string, MemberGroup>> => {
  const groups = new Map<string, MemberGroup>();
  const asked = new Set<string>();
  let wanted = new Set(first);
  while (wanted.size > 0) {
    for (const id of wanted) asked.add(id);
    const found = (await rowsOf(place, 'member_groups', wanted)).map(groupOf);
    for (const group of found) groups.set(group.id, group);
    wanted = new Set(namedBy(found, 'member_group_id').filter(id => !asked.has(id)));
  }
  return groups;
};

const namedBy = (
  groups: Iterable<MemberGroup>,
  field: 'member_group_id' | 'schedule_id' | 'gadget_id' | 'site_id',
): string[] => [...groups].flatMap(({ permissions }) => permissions.flatMap(rule => rule[field] ?? []));

const byId = <T extends { readonly id: string }>(objects: readonly T[]): ReadonlyMap<string, T> =>
  new Map(objects.map(object => [object.id, object]));

/** A member's living associations, and the groups that these lead to. */
export interface HeldGroups {
  readonly associations: readonly GroupAssociation[];
  readonly groups: ReadonlyMap<string, MemberGroup>;
}

export const loadHeldGroups = async (place: Place, memberId: string): Promise<HeldGroups> => {
  const associations = await livingAssociations(place, memberId);
  const first = associations.map(association => association.member_group_id);
  return { associations, groups: await groupsFrom(place, first) };
};

/** All that a decision about the member at one of these gadgets can ask for. */
export const loadWorldAround = async (
  place: Place,
  member: MemberRow,
  { associations, groups }: HeldGroups,
  gadgetRows: readonly Pick<GadgetRow, 'id' | 'site_id'>[],
): Promise<AccessWorld> => {
  const named = [...groups.values()];
  const schedules = byId((await rowsOf(place, 'schedules', new Set(namedBy(named, 'schedule_id')))).map(scheduleOf));
  const gadgetIds = new Set([...namedBy(named, 'gadget_id'), ...gadgetRows.map(({ id }) => id)]);
  const gadgets = byId((await rowsOf(place, 'gadgets', gadgetIds)).map(gadgetOf));
  const siteIds = new Set([...namedBy(named, 'site_id'), ...gadgetRows.map(({ site_id }) => site_id)]);
  const sites = byId((await rowsOf(place, 'sites', siteIds)).map(siteOf));
  const person = memberOf(member, associations);
  return {
    member: id => (id === person.id ? person : undefined),
    memberGroup: id => groups.get(id),
    schedule: id => schedules.get(id),
    gadget: id => gadgets.get(id),
    site: id => sites.get(id),
  };
};

/** For one gadget; credentials are left out, they decide nothing. */
export const loadMemberWorld = async (place: Place, member: MemberRow, gadget: GadgetRow): Promise<AccessWorld> =>
  loadWorldAround(place, member, await loadHeldGroups(place, member.id), [gadget]);
