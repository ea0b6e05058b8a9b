import type {
  ObservedDevice,
  ObservedGadget,
  ObservedDoorsAndDevices,
} from '@lintel/access-core/alerts/alert-conditions';
import type { DeviceStatus } from '@lintel/wire-protocol/rest/device';
import type { Kysely } from 'kysely';
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

const loadDevices = async (db: Kysely<Database>, organizationId: string): Promise<ObservedDevice[]> => {
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
      batteryPercent: hasBattery ? (status.battery_percent ?? null) : null,
    };
  });
};

/** The state of doors and controllers for alert rules. Null for `denialsAfter`: no rule counts denials. */
export const loadStateForAlertRules = async (
  db: Kysely<Database>,
  organizationId: string,
  denialsAfter: number | null,
): Promise<ObservedDoorsAndDevices> => ({
  doors: await loadDoors(db, organizationId, denialsAfter),
  devices: await loadDevices(db, organizationId),
});
