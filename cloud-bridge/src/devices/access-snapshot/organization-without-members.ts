import type { PermissionRule } from '@lintel/access-core/access-data-types';
import type { InputRule } from '@lintel/access-core/input-rules';
import { type Kysely, sql } from 'kysely';
import type { Database, DeviceRow, GadgetRow, GadgetTriggerRow, ScheduleRow, SiteRow } from '../../storage/schema.ts';

export interface ParsedDeviceRow extends Pick<DeviceRow, 'id' | 'site_id' | 'name' | 'product_id'> {
  readonly input_rules: readonly InputRule[];
}

interface Named {
  readonly id: string;
  readonly name: string;
}

export interface ParsedGadgetRow extends Pick<GadgetRow, 'id' | 'site_id' | 'device_id' | 'name' | 'created_at'> {
  readonly actions: readonly Named[];
  readonly states: readonly Named[];
  readonly signals: readonly Named[];
}

interface StructureGroup {
  readonly id: string;
  readonly permissions: readonly PermissionRule[];
}

/** Identifies a controller to its peers. */
interface StructurePeer {
  readonly serial: string;
  readonly public_key: string;
}

/** All objects of an organization except members, without deleted ones. */
export interface OrganizationWithoutMembers {
  readonly devices: ReadonlyMap<string, ParsedDeviceRow>;
  readonly gadgets: ReadonlyMap<string, ParsedGadgetRow>;
  readonly gadgetsByDevice: ReadonlyMap<string, readonly ParsedGadgetRow[]>;
  /** The devices with an input rule for the gadget. */
  readonly devicesByTargetGadget: ReadonlyMap<string, readonly string[]>;
  readonly groups: ReadonlyMap<string, StructureGroup>;
  readonly schedules: ReadonlyMap<string, Pick<ScheduleRow, 'id' | 'weekdays'>>;
  readonly sites: ReadonlyMap<string, Pick<SiteRow, 'id' | 'name' | 'timezone' | 'geo'>>;
  readonly triggers: readonly GadgetTriggerRow[];
  /** Claimed devices that get no members until an administrator confirms them. */
  readonly unconfirmed: ReadonlySet<string>;
  readonly peers: ReadonlyMap<string, StructurePeer>;
  /** All valid certificates: after a renewal a device has two. */
  readonly certificates: ReadonlyMap<string, readonly StructurePeer[]>;
}

type OwnedTable = 'devices' | 'gadgets' | 'member_groups' | 'schedules' | 'sites' | 'gadget_triggers';

const loadActiveRows = async <T extends OwnedTable>(
  db: Kysely<Database>,
  table: T,
  organizationId: string,
): Promise<Database[T][]> => {
  const { rows } = await sql<Database[T]>`select * from ${sql.table(table)}
    where organization_id = ${organizationId} and is_deleted = 0 order by created_at, id`.execute(db);
  return rows;
};

const byId = <T extends { readonly id: string }>(objects: readonly T[]): ReadonlyMap<string, T> =>
  new Map(objects.map(object => [object.id, object]));

const parseJson = <T>(json: string): T => JSON.parse(json) as T;

/** The certificate of the last hello, which the controller signs with. */
const loadPeers = async (db: Kysely<Database>, organizationId: string): Promise<Map<string, StructurePeer>> => {
  const rows = await db
    .selectFrom('device_links as l')
    .innerJoin('device_certificates as c', 'c.serial', 'l.serial')
    .select(['l.device_id', 'c.serial', 'c.public_key'])
    .where('l.organization_id', '=', organizationId)
    .where('c.revoked_at', 'is', null)
    .execute();
  return new Map(rows.map(({ device_id, serial, public_key }) => [device_id, { serial, public_key }]));
};

const loadValidCertificates = async (
  db: Kysely<Database>,
  organizationId: string,
): Promise<Map<string, StructurePeer[]>> => {
  const rows = await db
    .selectFrom('device_certificates')
    .select(['device_id', 'serial', 'public_key'])
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .orderBy('serial')
    .execute();
  const byDevice = Map.groupBy(rows, ({ device_id }) => device_id);
  return new Map(
    Array.from(byDevice, ([id, certificates]) => [
      id,
      certificates.map(({ serial, public_key }) => ({ serial, public_key })),
    ]),
  );
};

const loadUnconfirmedDevices = async (db: Kysely<Database>, organizationId: string): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('device_links')
    .select('device_id')
    .where('organization_id', '=', organizationId)
    .where('is_confirmed', '=', 0)
    .execute();
  return new Set(rows.map(({ device_id }) => device_id));
};

const groupDevicesByTargetGadget = (devices: Iterable<ParsedDeviceRow>): ReadonlyMap<string, readonly string[]> => {
  const rules = [...devices].flatMap(({ id, input_rules }) =>
    input_rules.map(({ gadget_id }) => ({ id, gadget_id: gadget_id as string })),
  );
  const byGadget = Map.groupBy(rules, ({ gadget_id }) => gadget_id);
  return new Map(Array.from(byGadget, ([gadgetId, devicesOfRules]) => [gadgetId, devicesOfRules.map(({ id }) => id)]));
};

export const loadOrganizationWithoutMembers = async (
  db: Kysely<Database>,
  organizationId: string,
): Promise<OrganizationWithoutMembers> => {
  const rows = await loadActiveRows(db, 'devices', organizationId);
  const devices = byId(rows.map(row => ({ ...row, input_rules: parseJson<InputRule[]>(row.input_rules) })));
  const gadgets = (await loadActiveRows(db, 'gadgets', organizationId)).map(row => ({
    ...row,
    actions: parseJson<Named[]>(row.actions),
    states: parseJson<Named[]>(row.states),
    signals: parseJson<Named[]>(row.signals),
  }));
  const groups = await loadActiveRows(db, 'member_groups', organizationId);
  return {
    devices,
    gadgets: byId(gadgets),
    gadgetsByDevice: Map.groupBy(gadgets, ({ device_id }) => device_id),
    devicesByTargetGadget: groupDevicesByTargetGadget(devices.values()),
    groups: byId(groups.map(({ id, permissions }) => ({ id, permissions: parseJson<PermissionRule[]>(permissions) }))),
    schedules: byId(await loadActiveRows(db, 'schedules', organizationId)),
    sites: byId(await loadActiveRows(db, 'sites', organizationId)),
    triggers: await loadActiveRows(db, 'gadget_triggers', organizationId),
    unconfirmed: await loadUnconfirmedDevices(db, organizationId),
    peers: await loadPeers(db, organizationId),
    certificates: await loadValidCertificates(db, organizationId),
  };
};
