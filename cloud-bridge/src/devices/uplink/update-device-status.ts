import { inferPowerOfRunningDevice } from '@lintel/access-core/power-status';
import type { DeviceStatus } from '@lintel/wire-protocol/rest/device';
import type { DeviceStatusMqttMessage } from '@lintel/wire-protocol/mqtt/messages/device-status';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import type { EventReason } from '@lintel/wire-protocol/rest/event-reasons';
import { toPowerFields } from '../../resources/initial-device-status.ts';
import { parseDeviceCapabilities } from '../../resources/device-capabilities.ts';
import type { DeviceRow } from '../../storage/schema.ts';
import { sql } from 'kysely';
import { buildIdInExpression } from '../../queries/sql-conditions.ts';
import { createJsonRowsParameter } from '../../storage/rows-as-json-parameter.ts';
import type { Actor } from '../../transactions/actor.ts';
import { findRow } from '../../transactions/row-operations.ts';
import type { WriteContext } from '../../transactions/organization-writer.ts';
import { recordDeviceHealth } from './device-health-records.ts';

type DeviceFault = NonNullable<DeviceStatus['faults']>[number];

const bridgeFaultsOf = ({ faults = [] }: DeviceStatus): DeviceFault[] =>
  faults.filter(({ by_bridge }) => by_bridge === true);

const reportedFaultsOf = ({ faults = [] }: DeviceStatus): DeviceFault[] =>
  faults.filter(({ by_bridge }) => by_bridge !== true);

const statusOf = ({ status }: DeviceRow): DeviceStatus => JSON.parse(status) as DeviceStatus;

interface StatusEdit {
  readonly device: DeviceRow;
  readonly status: DeviceStatus;
  /** Null: the edit is not logged. */
  readonly reason: EventReason | null;
  /** Default: the actor of the write. */
  readonly by?: Actor;
}

const writeStatuses = async (context: WriteContext, edits: readonly StatusEdit[]): Promise<void> => {
  const changed = edits
    .map(edit => ({ ...edit, id: edit.device.id, text: JSON.stringify(edit.status) }))
    .filter(({ device, text }) => text !== device.status);
  if (changed.length === 0) return;
  const texts = changed.map(({ id, text }) => ({ id, text }));
  const rows = createJsonRowsParameter(context.engine, { id: 'text', text: 'text' }, texts);
  await sql`update devices set status = o.text from ${rows} where devices.id = o.id`.execute(context.db);
  await recordDeviceHealth(context, changed);
  for (const { device, reason, by } of changed) {
    if (reason === null) continue;
    const object = { type: 'device', device_id: device.id, site_id: device.site_id } as const;
    context.log({ verb: 'edit', object, reason }, by);
  }
};

/** `actorOf`: who is logged as the subject for a device. Default: the actor of the write. */
export const setDevicesOnline = async (
  context: WriteContext,
  deviceIds: readonly string[],
  online: boolean,
  actorOf?: (deviceId: string) => Actor,
): Promise<void> => {
  if (deviceIds.length === 0) return;
  const isListed = buildIdInExpression(context.engine, sql`id`, deviceIds);
  // With a condition on the organization, the database would use its index and scan all its devices.
  const { rows } = await sql<DeviceRow>`select * from devices where ${isListed}`.execute(context.db);
  const edits = rows
    .filter(({ organization_id }) => organization_id === context.organizationId)
    .map(device => ({ device, status: statusOf(device) }))
    .filter(({ status }) => status.online !== online)
    .map(({ device, status }): StatusEdit => {
      // A fault of the earlier connection is set again if it still exists.
      const faults = online && bridgeFaultsOf(status).length > 0 ? { faults: reportedFaultsOf(status) } : {};
      return {
        device,
        status: { ...status, ...faults, online },
        reason: online ? 'online' : 'offline',
        ...(actorOf !== undefined && { by: actorOf(device.id) }),
      };
    });
  await writeStatuses(context, edits);
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
  const faults = [...reportedFaultsOf(status), ...added];
  await writeStatuses(context, [{ device, status: { ...status, faults }, reason: 'status' }]);
};

/** Ignores the battery level, so that a discharging battery does not log an event with every report. */
const isReportable = (before: DeviceStatus, after: DeviceStatus): boolean =>
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
  const after: DeviceStatus = {
    online: before.online,
    ...toPowerFields(inferPowerOfRunningDevice(parseDeviceCapabilities(device), measured)),
    faults: [
      ...reported.faults.map(fault => ({ ...fault, since: toDateTime(fault.since) })),
      ...bridgeFaultsOf(before),
    ],
  };
  await writeStatuses(context, [{ device, status: after, reason: isReportable(before, after) ? 'status' : null }]);
};
