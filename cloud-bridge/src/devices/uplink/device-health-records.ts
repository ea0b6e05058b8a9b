import type { DeviceStatus } from '@lintel/wire-protocol/rest/device';
import { sql } from 'kysely';
import { buildIdInExpression } from '../../queries/sql-conditions.ts';
import { createJsonRowsParameter } from '../../storage/rows-as-json-parameter.ts';
import type { WriteContext } from '../../transactions/organization-writer.ts';

const KEPT_MS = 30 * 86_400_000;
/** A smaller change of the battery is not recorded. */
const BATTERY_STEP = 5;

export interface StoredDeviceHealth {
  readonly mains_present: boolean | null;
  readonly battery_percent: number | null;
  readonly battery_charging: boolean | null;
  readonly faults: string[];
}

const toHealthRecord = (status: DeviceStatus): StoredDeviceHealth => ({
  mains_present: status.mains_present ?? null,
  battery_percent: status.battery_present === true ? (status.battery_percent ?? null) : null,
  battery_charging: status.battery_present === true ? (status.battery_charging ?? null) : null,
  faults: (status.faults ?? []).map(({ code }) => code).toSorted(),
});

const isWorthRecording = (before: StoredDeviceHealth, after: StoredDeviceHealth): boolean => {
  const [from, to] = [before.battery_percent, after.battery_percent];
  if (from === null || to === null ? from !== to : Math.abs(to - from) >= BATTERY_STEP) return true;
  const withoutLevel = (record: StoredDeviceHealth): string => JSON.stringify({ ...record, battery_percent: null });
  return withoutLevel(before) !== withoutLevel(after);
};

type HealthWriteContext = Pick<WriteContext, 'db' | 'engine' | 'organizationId' | 'now' | 'deletionTime'>;

const findLastRecords = async (
  { db, engine }: HealthWriteContext,
  deviceIds: readonly string[],
): Promise<Map<string, StoredDeviceHealth>> => {
  const isListed = buildIdInExpression(engine, sql`h.device_id`, deviceIds);
  const { rows } = await sql<{ device_id: string; record: string }>`select h.device_id, h.record from device_health as h
    where ${isListed} and h.at = (select max(l.at) from device_health as l where l.device_id = h.device_id)`.execute(
    db,
  );
  return new Map(rows.map(({ device_id, record }) => [device_id, JSON.parse(record) as StoredDeviceHealth]));
};

/**
 * Records faults and power of devices that differ from their last record, and deletes their records that are older than 30
 * days.
 */
export const recordDeviceHealth = async (
  context: HealthWriteContext,
  devices: readonly { readonly id: string; readonly status: DeviceStatus }[],
): Promise<void> => {
  const ids = devices.map(({ id }) => id);
  const last = await findLastRecords(context, ids);
  const records = devices
    .map(({ id, status }) => ({ id, before: last.get(id), after: toHealthRecord(status) }))
    .filter(({ before, after }) => before === undefined || isWorthRecording(before, after))
    .map(({ id, after }) => ({ device_id: id, record: JSON.stringify(after) }));
  if (records.length === 0) return;
  const { db, engine, now, deletionTime, organizationId } = context;
  const rows = createJsonRowsParameter(engine, { device_id: 'text', record: 'text' }, records);
  await sql`insert into device_health (device_id, at, organization_id, record)
    select o.device_id, cast(${sql.val(now)} as bigint), cast(${organizationId} as text), o.record from ${rows} where true
    on conflict (device_id, at) do update set record = excluded.record`.execute(db);
  const isListed = buildIdInExpression(
    engine,
    sql`device_id`,
    records.map(({ device_id }) => device_id),
  );
  await sql`delete from device_health where ${isListed} and at < ${deletionTime - KEPT_MS}`.execute(db);
};
