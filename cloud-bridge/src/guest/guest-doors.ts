import type { MemberGroup, PermissionRule } from '@lintel/access-core/access-model';
import type { AccessWorld } from '@lintel/access-core/permission/access-world';
import { sql } from 'kysely';
import { loadHeldGroups, loadWorldAround, type Place } from '../access/member-world.ts';
import { isAmong } from '../queries/conditions.ts';
import type { GadgetRow, MemberRow } from '../storage/schema.ts';

interface Reach {
  /** Some rule may be about any door of the organization. */
  readonly everywhere: boolean;
  readonly gadgetIds: readonly string[];
  readonly siteIds: readonly string[];
}

/** Wide enough for every rule: what a rule inherits only narrows it, and which doors remain is decided one by one. */
const reachOf = (groups: Iterable<MemberGroup>): Reach => {
  const rules: PermissionRule[] = [...groups].flatMap(({ permissions }) =>
    permissions.filter(rule => rule.member_group_id == null),
  );
  return {
    everywhere: rules.some(rule => rule.gadget_id == null && rule.site_id == null),
    gadgetIds: rules.flatMap(rule => rule.gadget_id ?? []),
    siteIds: rules.flatMap(rule => rule.site_id ?? []),
  };
};

const gadgetsWithin = async (
  { db, engine, organizationId }: Place,
  { everywhere, gadgetIds, siteIds }: Reach,
): Promise<GadgetRow[]> => {
  const named = sql`(${isAmong(engine, sql`g.id`, gadgetIds)} or ${isAmong(engine, sql`g.site_id`, siteIds)})`;
  const { rows } = await sql<GadgetRow>`select g.* from gadgets as g
    inner join sites as s on s.id = g.site_id and s.is_deleted = 0
    inner join devices as d on d.id = g.device_id and d.is_deleted = 0
    where g.organization_id = ${organizationId} and g.is_deleted = 0 ${everywhere ? sql`` : sql`and ${named}`}
    order by s.created_at, s.id, g.created_at, g.id`.execute(db);
  return rows;
};

export interface GuestDoors {
  readonly world: AccessWorld;
  /** Every door that a rule may be about, and perhaps more. */
  readonly gadgets: readonly GadgetRow[];
}

export const loadGuestDoors = async (place: Place, member: MemberRow): Promise<GuestDoors> => {
  const held = await loadHeldGroups(place, member.id);
  const gadgets = await gadgetsWithin(place, reachOf(held.groups.values()));
  return { world: await loadWorldAround(place, member, held, gadgets), gadgets };
};
