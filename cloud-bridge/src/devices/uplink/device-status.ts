import type { DeviceStatus } from '@lintel/wire-protocol/rest/device';
import type { Status } from '@lintel/wire-protocol/mqtt/messages/status';
import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import type { DeviceRow } from '../../storage/schema.ts';
import { findRow, updateRow } from '../../transactions/rows.ts';
import type { WriteContext } from '../../transactions/writer.ts';

interface ReportedStatus extends DeviceStatus {
  readonly faults?: readonly { readonly code: string; readonly since: string; readonly message: string }[];
}

const statusOf = ({ status }: DeviceRow): ReportedStatus => JSON.parse(status) as ReportedStatus;

const write = async (
  context: WriteContext,
  device: DeviceRow,
  status: ReportedStatus,
  reason: string | null,
): Promise<void> => {
  const edited = await updateRow(context, 'devices', device, { status: JSON.stringify(status) });
  if (edited === device || reason === null) return;
  context.log({ verb: 'edit', object: { type: 'device', device_id: device.id, site_id: device.site_id }, reason });
};

export const setOnline = async (context: WriteContext, deviceId: string, online: boolean): Promise<void> => {
  const device = await findRow(context, 'devices', deviceId);
  if (device === undefined || statusOf(device).online === online) return;
  await write(context, device, { ...statusOf(device), online }, online ? 'online' : 'offline');
};

/** A battery that slowly empties is known, and no event each time. */
const isNews = (before: ReportedStatus, after: ReportedStatus): boolean =>
  JSON.stringify({ ...before, battery_percent: 0 }) !== JSON.stringify({ ...after, battery_percent: 0 });

/** What the controller does not know of itself stays as it was. */
export const reportStatus = async (context: WriteContext, deviceId: string, told: Status): Promise<void> => {
  const device = await findRow(context, 'devices', deviceId);
  if (device === undefined) return;
  const before = statusOf(device);
  const after: ReportedStatus = {
    online: before.online,
    mains_present: told.mains_present ?? before.mains_present,
    battery_present: told.battery_present ?? before.battery_present,
    battery_charging: told.battery_charging ?? before.battery_charging,
    battery_percent: told.battery_percent ?? before.battery_percent,
    faults: told.faults.map(fault => ({ ...fault, since: dateTimeOf(fault.since) })),
  };
  await write(context, device, after, isNews(before, after) ? 'status' : null);
};
