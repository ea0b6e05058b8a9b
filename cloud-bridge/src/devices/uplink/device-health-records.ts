import type { DeviceStatus } from '@lintel/wire-protocol/rest/device';
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

interface StatusWithFaults extends DeviceStatus {
  readonly faults?: readonly { readonly code: string }[];
}

const toHealthRecord = (status: StatusWithFaults): StoredDeviceHealth => ({
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

/** Records faults and power of a device if they differ from the last record, and deletes records older than 30 days. */
export const recordDeviceHealth = async (
  { db, organizationId, now }: WriteContext,
  deviceId: string,
  status: StatusWithFaults,
): Promise<void> => {
  const last = await db
    .selectFrom('device_health')
    .select('record')
    .where('device_id', '=', deviceId)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const after = toHealthRecord(status);
  if (last !== undefined && !isWorthRecording(JSON.parse(last.record) as StoredDeviceHealth, after)) return;
  const record = JSON.stringify(after);
  await db
    .insertInto('device_health')
    .values({ device_id: deviceId, at: now, organization_id: organizationId, record })
    .onConflict(conflict => conflict.columns(['device_id', 'at']).doUpdateSet({ record }))
    .execute();
  await db
    .deleteFrom('device_health')
    .where('device_id', '=', deviceId)
    .where('at', '<', now - KEPT_MS)
    .execute();
};
