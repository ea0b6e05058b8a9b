import type { DeviceId, GadgetId, MemberId, SiteId } from '@lintel/access-core/ids';
import type { Instant } from '@lintel/access-core/instant';
import type { AccessDataSource } from '@lintel/access-core/permission/access-data-source-interface';
import type { GuestMeResponse, GuestGadget, GuestMembership, GuestSite } from '@lintel/wire-protocol/guest/guest-api';
import type { SiteResponse } from '@lintel/wire-protocol/rest/site';
import { toDateTime, toDateTimeOrNull } from '@lintel/wire-protocol/schema-parts/date-time';
import { sql } from 'kysely';
import type { OrganizationQueryContext } from '../access/load-member-access-data.ts';
import { buildIdInExpression } from '../queries/sql-conditions.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { GadgetRow, MemberRow, SiteRow } from '../storage/schema.ts';
import { computeActionAvailability, type NextAccessSearchBudget } from './action-availability.ts';
import { loadContactOfMember } from './guest-contact.ts';
import { describeGuestPins } from './guest-pins.ts';
import { loadGuestCandidateGadgets } from './guest-candidate-gadgets.ts';
import type { AuthenticatedGuestMember } from './guest-sessions.ts';

const MAX_DOORS = 500;
const MAX_SEARCH_STEPS = 5000;

interface MembershipContext {
  readonly accessData: AccessDataSource;
  readonly member: MemberRow;
  readonly now: Instant;
  readonly budget: NextAccessSearchBudget;
}

/** A gadget with the actions that a rule of the member covers; null without any. */
const toGuestGadget = ({ accessData, member, now, budget }: MembershipContext, row: GadgetRow): GuestGadget | null => {
  const gadget = accessData.gadget(row.id as GadgetId);
  if (gadget === undefined) return null;
  const actions = (JSON.parse(row.actions) as { id: string; name: string }[]).flatMap(({ id, name }) => {
    const availability = computeActionAvailability(
      accessData,
      { memberId: member.id as MemberId, gadget, actionId: id },
      now,
      budget,
    );
    return availability === null
      ? []
      : [{ id, name, ...availability, allowed_from: toDateTimeOrNull(availability.allowed_from) }];
  });
  return actions.length === 0 ? null : { id: gadget.id, device_id: row.device_id as DeviceId, name: row.name, actions };
};

const toGuestSite = (row: SiteRow, gadgets: readonly GuestGadget[]): GuestSite => {
  const map = row.map === null ? null : (JSON.parse(row.map) as SiteResponse['map']);
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

const siteRows = async (
  { db, engine, organizationId }: OrganizationQueryContext,
  ids: readonly string[],
): Promise<SiteRow[]> => {
  const { rows } = await sql<SiteRow>`select s.* from sites as s
    where ${buildIdInExpression(engine, sql`s.id`, ids)} and s.organization_id = ${organizationId}
    order by s.created_at, s.id`.execute(db);
  return rows;
};

const toGuestMembership = async (
  { storage }: BridgeServices,
  guest: AuthenticatedGuestMember,
  now: Instant,
): Promise<GuestMembership> => {
  const { member, organizationName } = guest;
  const place = { db: storage.reader, engine: storage.engine, organizationId: member.organization_id };
  const { accessData, gadgets } = await loadGuestCandidateGadgets(place, member);
  const context = { accessData, member, now, budget: { stepsLeft: MAX_SEARCH_STEPS } };
  const bySite = new Map<string, GuestGadget[]>();
  let doors = 0;
  for (const row of gadgets) {
    if (doors > MAX_DOORS) break;
    const gadget = toGuestGadget(context, row);
    if (gadget !== null && doors++ < MAX_DOORS) bySite.set(row.site_id, [...(bySite.get(row.site_id) ?? []), gadget]);
  }
  const sites = await siteRows(place, [...bySite.keys()]);
  return {
    member_id: member.id as MemberId,
    organization_name: organizationName,
    language: member.language,
    starts_at: toDateTimeOrNull(member.starts_at),
    ends_at: toDateTimeOrNull(member.ends_at),
    sites: sites.map(site => toGuestSite(site, bySite.get(site.id) ?? [])),
    contact: await loadContactOfMember(storage.reader, guest),
    pins: await describeGuestPins(storage.reader, guest),
    has_more: doors > MAX_DOORS,
  };
};

/** The doors that the guest can open, now or later. Never contains the member's name. */
export const buildGuestMeResponse = async (
  services: BridgeServices,
  members: readonly AuthenticatedGuestMember[],
): Promise<GuestMeResponse> => {
  const now = services.clock();
  const memberships: GuestMembership[] = [];
  for (const member of members) memberships.push(await toGuestMembership(services, member, now));
  return { now: toDateTime(now), memberships };
};
