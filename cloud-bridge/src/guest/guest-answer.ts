import type { GadgetId, MemberId, SiteId } from '@lintel/access-core/ids';
import type { Instant } from '@lintel/access-core/instant';
import type { AccessWorld } from '@lintel/access-core/permission/access-world';
import type { GuestAnswer, GuestGadget, GuestMembership, GuestSite } from '@lintel/wire-protocol/guest/guest-api';
import type { SiteAnswer } from '@lintel/wire-protocol/rest/site';
import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import { sql } from 'kysely';
import type { Place } from '../access/member-world.ts';
import { isAmong } from '../queries/conditions.ts';
import type { Services } from '../services.ts';
import type { GadgetRow, MemberRow, SiteRow } from '../storage/schema.ts';
import { actionOutlook, type LookingAhead } from './action-outlook.ts';
import { loadGuestDoors } from './guest-doors.ts';
import type { Membership } from './guest-sessions.ts';

/** More than anybody scrolls through on a phone. */
const MOST_DOORS = 500;
const MOST_STEPS_AHEAD = 5000;

const timeOrNull = (at: number | null) => (at === null ? null : dateTimeOf(at as Instant));

interface View {
  readonly world: AccessWorld;
  readonly member: MemberRow;
  readonly now: Instant;
  readonly ahead: LookingAhead;
}

/** The actions that some rule of the member is about; without one the gadget is not shown. */
const gadgetFor = ({ world, member, now, ahead }: View, row: GadgetRow): GuestGadget | null => {
  const gadget = world.gadget(row.id as GadgetId);
  if (gadget === undefined) return null;
  const actions = (JSON.parse(row.actions) as { id: string; name: string }[]).flatMap(({ id, name }) => {
    const outlook = actionOutlook(world, { memberId: member.id as MemberId, gadget, actionId: id }, now, ahead);
    return outlook === null ? [] : [{ id, name, ...outlook, allowed_from: timeOrNull(outlook.allowed_from) }];
  });
  return actions.length === 0 ? null : { id: gadget.id, name: row.name, actions };
};

const siteFor = (row: SiteRow, gadgets: readonly GuestGadget[]): GuestSite => {
  const map = row.map === null ? null : (JSON.parse(row.map) as SiteAnswer['map']);
  return {
    id: row.id as SiteId,
    name: row.name,
    timezone: row.timezone,
    image_url: map?.image_url ?? null,
    address: map?.address ?? null,
    phone: row.phone,
    email: row.email,
    info: row.info,
    gadgets: [...gadgets],
  };
};

const siteRows = async ({ db, engine, organizationId }: Place, ids: readonly string[]): Promise<SiteRow[]> => {
  const { rows } = await sql<SiteRow>`select s.* from sites as s
    where ${isAmong(engine, sql`s.id`, ids)} and s.organization_id = ${organizationId}
    order by s.created_at, s.id`.execute(db);
  return rows;
};

const membershipFor = async (
  { storage }: Services,
  { member, organizationName }: Membership,
  now: Instant,
): Promise<GuestMembership> => {
  const place = { db: storage.reader, engine: storage.engine, organizationId: member.organization_id };
  const { world, gadgets } = await loadGuestDoors(place, member);
  const view = { world, member, now, ahead: { stepsLeft: MOST_STEPS_AHEAD } };
  const bySite = new Map<string, GuestGadget[]>();
  let doors = 0;
  for (const row of gadgets) {
    if (doors > MOST_DOORS) break;
    const gadget = gadgetFor(view, row);
    if (gadget !== null && doors++ < MOST_DOORS) bySite.set(row.site_id, [...(bySite.get(row.site_id) ?? []), gadget]);
  }
  const sites = await siteRows(place, [...bySite.keys()]);
  return {
    member_id: member.id as MemberId,
    organization_name: organizationName,
    language: member.language,
    starts_at: timeOrNull(member.starts_at),
    ends_at: timeOrNull(member.ends_at),
    sites: sites.map(site => siteFor(site, bySite.get(site.id) ?? [])),
    has_more: doors > MOST_DOORS,
  };
};

/** What the page shows: where the guest may go, now and later. Never the member's name. */
export const guestAnswerFor = async (services: Services, memberships: readonly Membership[]): Promise<GuestAnswer> => {
  const now = services.clock();
  const shown: GuestMembership[] = [];
  for (const membership of memberships) shown.push(await membershipFor(services, membership, now));
  return { now: dateTimeOf(now), memberships: shown };
};
