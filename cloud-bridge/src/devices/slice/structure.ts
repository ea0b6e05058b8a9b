import type { PermissionRule } from '@lintel/access-core/access-model';
import type { InputRule } from '@lintel/access-core/input-rules';
import { type Kysely, sql } from 'kysely';
import type { Database, DeviceRow, GadgetRow, GadgetTriggerRow, ScheduleRow, SiteRow } from '../../storage/schema.ts';

export interface StructureDevice extends Pick<DeviceRow, 'id' | 'site_id' | 'name' | 'product_id'> {
  readonly input_rules: readonly InputRule[];
}

interface Named {
  readonly id: string;
  readonly name: string;
}

export interface StructureGadget extends Pick<GadgetRow, 'id' | 'site_id' | 'device_id' | 'name' | 'created_at'> {
  readonly actions: readonly Named[];
  readonly states: readonly Named[];
  readonly signals: readonly Named[];
}

interface StructureGroup {
  readonly id: string;
  readonly permissions: readonly PermissionRule[];
}

/** How other controllers know a claimed one. */
interface StructurePeer {
  readonly serial: string;
  readonly public_key: string;
}

/** All of an organization that is not members: few objects, living ones only. */
export interface Structure {
  readonly devices: ReadonlyMap<string, StructureDevice>;
  readonly gadgets: ReadonlyMap<string, StructureGadget>;
  /** The gadgets of each device. */
  readonly gadgetsOf: ReadonlyMap<string, readonly StructureGadget[]>;
  /** The devices with a rule that leads to a gadget, by its id. */
  readonly askersOf: ReadonlyMap<string, readonly string[]>;
  readonly groups: ReadonlyMap<string, StructureGroup>;
  readonly schedules: ReadonlyMap<string, Pick<ScheduleRow, 'id' | 'weekdays'>>;
  readonly sites: ReadonlyMap<string, Pick<SiteRow, 'id' | 'name' | 'timezone' | 'geo'>>;
  readonly triggers: readonly GadgetTriggerRow[];
  readonly peers: ReadonlyMap<string, StructurePeer>;
  /** All that a device may show: it takes up a new one while the old one is still in force. */
  readonly certificates: ReadonlyMap<string, readonly StructurePeer[]>;
}

type OwnedTable = 'devices' | 'gadgets' | 'member_groups' | 'schedules' | 'sites' | 'gadget_triggers';

const living = async <T extends OwnedTable>(
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

const parsed = <T>(json: string): T => JSON.parse(json) as T;

/** The certificate that a controller showed last is the one that it signs with. */
const claimed = async (db: Kysely<Database>, organizationId: string): Promise<Map<string, StructurePeer>> => {
  const rows = await db
    .selectFrom('device_links as l')
    .innerJoin('device_certificates as c', 'c.serial', 'l.serial')
    .select(['l.device_id', 'c.serial', 'c.public_key'])
    .where('l.organization_id', '=', organizationId)
    .where('c.revoked_at', 'is', null)
    .execute();
  return new Map(rows.map(({ device_id, serial, public_key }) => [device_id, { serial, public_key }]));
};

const inForce = async (db: Kysely<Database>, organizationId: string): Promise<Map<string, StructurePeer[]>> => {
  const rows = await db
    .selectFrom('device_certificates')
    .select(['device_id', 'serial', 'public_key'])
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .orderBy('serial')
    .execute();
  const byDevice = Map.groupBy(rows, ({ device_id }) => device_id);
  return new Map(
    Array.from(byDevice, ([id, held]) => [id, held.map(({ serial, public_key }) => ({ serial, public_key }))]),
  );
};

const askersOf = (devices: Iterable<StructureDevice>): ReadonlyMap<string, readonly string[]> => {
  const asked = [...devices].flatMap(({ id, input_rules }) =>
    input_rules.map(({ gadget_id }) => ({ id, gadget_id: gadget_id as string })),
  );
  const byGadget = Map.groupBy(asked, ({ gadget_id }) => gadget_id);
  return new Map(Array.from(byGadget, ([gadgetId, askers]) => [gadgetId, askers.map(({ id }) => id)]));
};

export const loadStructure = async (db: Kysely<Database>, organizationId: string): Promise<Structure> => {
  const rows = await living(db, 'devices', organizationId);
  const devices = byId(rows.map(row => ({ ...row, input_rules: parsed<InputRule[]>(row.input_rules) })));
  const gadgets = (await living(db, 'gadgets', organizationId)).map(row => ({
    ...row,
    actions: parsed<Named[]>(row.actions),
    states: parsed<Named[]>(row.states),
    signals: parsed<Named[]>(row.signals),
  }));
  const groups = await living(db, 'member_groups', organizationId);
  return {
    devices,
    gadgets: byId(gadgets),
    gadgetsOf: Map.groupBy(gadgets, ({ device_id }) => device_id),
    askersOf: askersOf(devices.values()),
    groups: byId(groups.map(({ id, permissions }) => ({ id, permissions: parsed<PermissionRule[]>(permissions) }))),
    schedules: byId(await living(db, 'schedules', organizationId)),
    sites: byId(await living(db, 'sites', organizationId)),
    triggers: await living(db, 'gadget_triggers', organizationId),
    peers: await claimed(db, organizationId),
    certificates: await inForce(db, organizationId),
  };
};
