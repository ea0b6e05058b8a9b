import {
  NEW_REPORTED_MS,
  type ObservedClaim,
  type ObservedDevice,
  type ObservedGadget,
  type ObservedMember,
  type ObservedDoorsAndDevices,
} from '@lintel/access-core/alerts/alert-conditions';
import type { Instant } from '@lintel/access-core/instant';
import type { DeviceStatus } from '@lintel/wire-protocol/rest/device';
import type { Kysely } from 'kysely';
import { loadOrganizationWithoutMembers } from '../devices/access-snapshot/organization-without-members.ts';
import { listGadgetsByGroup } from '../devices/effective-access.ts';
import { listWaitingControllers } from '../resources/controller-confirmation.ts';
import type { Database } from '../storage/schema.ts';

interface ReportedStatus extends DeviceStatus {
  readonly faults?: readonly { readonly code: string; readonly since: string; readonly message: string }[];
}

const loadDenials = async (
  db: Kysely<Database>,
  organizationId: string,
  after: number,
): Promise<ReadonlyMap<string, number[]>> => {
  const rows = await db
    .selectFrom('events')
    .select(['object_gadget_id', 'created_at'])
    .where('organization_id', '=', organizationId)
    .where('created_at', '>', after)
    .where('verb', '=', 'deny')
    .where('object_gadget_id', 'is not', null)
    .execute();
  const times = new Map<string, number[]>();
  for (const { object_gadget_id: id, created_at } of rows) times.set(id!, [...(times.get(id!) ?? []), created_at]);
  return times;
};

const loadDoors = async (
  db: Kysely<Database>,
  organizationId: string,
  denialsAfter: number | null,
): Promise<ObservedGadget[]> => {
  const denials = denialsAfter === null ? new Map() : await loadDenials(db, organizationId, denialsAfter);
  const rows = await db
    .selectFrom('gadgets')
    .select(['id', 'site_id', 'name', 'state_id'])
    .where('organization_id', '=', organizationId)
    .where('is_deleted', '=', 0)
    .execute();
  return rows.map(({ id, site_id, name, state_id }) => ({
    id,
    siteId: site_id,
    name,
    state: state_id,
    denials: denials.get(id) ?? [],
  }));
};

const loadClaims = async (
  db: Kysely<Database>,
  organizationId: string,
  now: number,
): Promise<ReadonlyMap<string, ObservedClaim>> => {
  const claimed = await db
    .selectFrom('device_links as l')
    .innerJoin('devices as d', 'd.id', 'l.device_id')
    .innerJoin('sites as s', 's.id', 'd.site_id')
    .innerJoin('claim_tickets as t', 't.id', 'l.claim_ticket_id')
    .leftJoin('users as u', 'u.id', 't.issued_by_user_id')
    .leftJoin('oauth_applications as a', 'a.id', 't.issued_by_application_id')
    .select(['l.device_id', 't.redeemed_at', 's.name as site', 'u.name as user', 'a.name as application'])
    .where('l.organization_id', '=', organizationId)
    .execute();
  const waiting = await listWaitingControllers(db, organizationId, { now });
  return new Map([
    ...claimed.map(({ device_id, redeemed_at, site, user, application }): [string, ObservedClaim] => [
      device_id,
      { at: redeemed_at ?? 0, site, user: user ?? application, waits: false },
    ]),
    ...waiting.map(({ device_id, since, site_name, claimed_by }): [string, ObservedClaim] => [
      device_id,
      { at: since, site: site_name, user: claimed_by, waits: true },
    ]),
  ]);
};

const loadDevices = async (db: Kysely<Database>, organizationId: string, now: number): Promise<ObservedDevice[]> => {
  const claims = await loadClaims(db, organizationId, now);
  const rows = await db
    .selectFrom('device_links as l')
    .innerJoin('devices as d', 'd.id', 'l.device_id')
    .select(['d.id', 'd.site_id', 'd.name', 'd.status', 'l.seen_at'])
    .where('l.organization_id', '=', organizationId)
    .where('d.is_deleted', '=', 0)
    .execute();
  return rows.map(({ id, site_id, name, status: json, seen_at }) => {
    const status = JSON.parse(json) as ReportedStatus;
    const hasBattery = status.battery_present && !status.battery_charging;
    return {
      id,
      siteId: site_id,
      name,
      isOnline: status.online,
      seenAt: seen_at,
      faults: (status.faults ?? []).map(({ code, message, since }) => ({ code, message, since: Date.parse(since) })),
      claim: claims.get(id),
      batteryPercent: hasBattery ? (status.battery_percent ?? null) : null,
    };
  });
};

/** More new members of groups than this within a day are not looked at. */
const MOST_MEMBERS = 1000;

/** The members who were added to a group within a day and can open all doors of a site with several doors. */
const loadMembersWithAllDoors = async (
  db: Kysely<Database>,
  organizationId: string,
  now: Instant,
): Promise<ObservedMember[]> => {
  const added = await db
    .selectFrom('member_group_associations as a')
    .innerJoin('members as m', 'm.id', 'a.member_id')
    .select(['m.id', 'm.name', 'a.created_at'])
    .where('a.organization_id', '=', organizationId)
    .where('a.created_at', '>', now - NEW_REPORTED_MS)
    .where('a.is_deleted', '=', 0)
    .where('m.is_deleted', '=', 0)
    .where(eb => eb.or([eb('m.ends_at', 'is', null), eb('m.ends_at', '>', now)]))
    .orderBy('a.created_at', 'desc')
    .limit(MOST_MEMBERS)
    .execute();
  if (added.length === 0) return [];
  const members = new Map(added.toReversed().map(row => [row.id, row]));
  const associations = await db
    .selectFrom('member_group_associations')
    .select(['member_id', 'member_group_id'])
    .where('member_id', 'in', [...members.keys()])
    .where('is_deleted', '=', 0)
    .execute();
  const structure = await loadOrganizationWithoutMembers(db, organizationId);
  const opened = listGadgetsByGroup(structure, new Set(associations.map(row => row.member_group_id)), now);
  const groupsByMember = Map.groupBy(associations, ({ member_id }) => member_id);
  const sites = [...Map.groupBy(structure.gadgets.values(), ({ site_id }) => site_id)].filter(
    ([, gadgets]) => gadgets.length > 1,
  );
  return [...members.values()].flatMap(({ id, name, created_at }) => {
    const groups = groupsByMember.get(id) ?? [];
    return sites
      .filter(([, gadgets]) =>
        gadgets.every(gadget => groups.some(({ member_group_id }) => opened.get(member_group_id)?.has(gadget.id))),
      )
      .map(([siteId]) => ({ id, name, at: created_at, siteId, site: structure.sites.get(siteId)?.name ?? '' }));
  });
};

/**
 * The state of doors, controllers and new members for alert rules. Null for `denialsAfter`: no rule counts denials. Without
 * `watchesMembers`, no rule is about them.
 */
export const loadStateForAlertRules = async (
  db: Kysely<Database>,
  organizationId: string,
  { denialsAfter, watchesMembers }: { readonly denialsAfter: number | null; readonly watchesMembers: boolean },
  now: Instant,
): Promise<ObservedDoorsAndDevices> => ({
  members: watchesMembers ? await loadMembersWithAllDoors(db, organizationId, now) : [],
  doors: await loadDoors(db, organizationId, denialsAfter),
  devices: await loadDevices(db, organizationId, now),
});
