import { inferPowerOfRunningDevice } from '@lintel/access-core/power-status';
import type { DeviceStatus } from '@lintel/wire-protocol/rest/device';
import type { DeviceStatusMqttMessage } from '@lintel/wire-protocol/mqtt/messages/device-status';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import { toPowerFields } from '../../resources/initial-device-status.ts';
import { parseDeviceCapabilities } from '../../resources/device-capabilities.ts';
import type { DeviceRow } from '../../storage/schema.ts';
import { findRow, updateRow } from '../../transactions/row-operations.ts';
import type { WriteContext } from '../../transactions/organization-writer.ts';
import { recordDeviceHealth } from './device-health-records.ts';

interface DeviceFault {
  readonly code: string;
  readonly since: string;
  readonly message: string;
  /** Set by this bridge, not reported by the device. */
  readonly by_bridge?: true;
}

interface ReportedStatus extends DeviceStatus {
  readonly faults?: readonly DeviceFault[];
}

const bridgeFaultsOf = ({ faults = [] }: ReportedStatus): readonly DeviceFault[] =>
  faults.filter(({ by_bridge }) => by_bridge === true);

const reportedFaultsOf = ({ faults = [] }: ReportedStatus): readonly DeviceFault[] =>
  faults.filter(({ by_bridge }) => by_bridge !== true);

const statusOf = ({ status }: DeviceRow): ReportedStatus => JSON.parse(status) as ReportedStatus;

const writeStatus = async (
  context: WriteContext,
  device: DeviceRow,
  status: ReportedStatus,
  reason: string | null,
): Promise<void> => {
  const edited = await updateRow(context, 'devices', device, { status: JSON.stringify(status) });
  if (edited === device) return;
  await recordDeviceHealth(context, device.id, status);
  if (reason === null) return;
  context.log({ verb: 'edit', object: { type: 'device', device_id: device.id, site_id: device.site_id }, reason });
};

export const setDeviceOnline = async (context: WriteContext, deviceId: string, online: boolean): Promise<void> => {
  const device = await findRow(context, 'devices', deviceId);
  if (device === undefined || statusOf(device).online === online) return;
  const status = statusOf(device);
  // A fault of the earlier connection is set again if it still exists.
  const faults = online && bridgeFaultsOf(status).length > 0 ? { faults: reportedFaultsOf(status) } : {};
  await writeStatus(context, device, { ...status, ...faults, online }, online ? 'online' : 'offline');
};

/** A fault of the connection that this bridge has detected. Null clears it. */
export const setFaultDetectedByBridge = async (
  context: WriteContext,
  deviceId: string,
  fault: Pick<DeviceFault, 'code' | 'message'> | null,
): Promise<void> => {
  const device = await findRow(context, 'devices', deviceId);
  if (device === undefined) return;
  const status = statusOf(device);
  if ((bridgeFaultsOf(status)[0]?.code ?? null) === (fault?.code ?? null)) return;
  const added = fault === null ? [] : [{ ...fault, since: toDateTime(context.now), by_bridge: true } as const];
  await writeStatus(context, device, { ...status, faults: [...reportedFaultsOf(status), ...added] }, 'status');
};

/** Ignores the battery level, so that a discharging battery does not log an event with every report. */
const isReportable = (before: ReportedStatus, after: ReportedStatus): boolean =>
  JSON.stringify({ ...before, battery_percent: 0 }) !== JSON.stringify({ ...after, battery_percent: 0 });

/** Values that the controller cannot measure are absent. */
export const applyStatusReport = async (
  context: WriteContext,
  deviceId: string,
  reported: DeviceStatusMqttMessage,
): Promise<void> => {
  const device = await findRow(context, 'devices', deviceId);
  if (device === undefined) return;
  const before = statusOf(device);
  const { mains_present, battery_present, battery_charging, battery_percent } = reported;
  const measured = { mains_present, battery_present, battery_charging, battery_percent };
  const after: ReportedStatus = {
    online: before.online,
    ...toPowerFields(inferPowerOfRunningDevice(parseDeviceCapabilities(device), measured)),
    faults: [
      ...reported.faults.map(fault => ({ ...fault, since: toDateTime(fault.since) })),
      ...bridgeFaultsOf(before),
    ],
  };
  await writeStatus(context, device, after, isReportable(before, after) ? 'status' : null);
};
