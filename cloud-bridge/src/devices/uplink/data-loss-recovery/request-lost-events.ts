import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { HelloMqttMessage } from '@lintel/wire-protocol/mqtt/messages/hello';
import { recordIncident } from '../../../resources/incidents.ts';
import type { BridgeServices } from '../../../bridge-services-interface.ts';
import type { DeviceLinkRow } from '../../../storage/device-schema.ts';
import type { ActiveDeviceSession } from '../../device-session-registry.ts';
import type { UplinkDependencies } from '../uplink-dependencies.ts';

const recordLostEvents = (
  { writer }: BridgeServices,
  { device_id, organization_id }: DeviceLinkRow,
  first: number,
  last: number,
): Promise<void> =>
  writer.write(organization_id, { device_id }, async context => {
    await context.db
      .insertInto('lost_events')
      .values({ device_id, first, last })
      .onConflict(conflict => conflict.column('device_id').doUpdateSet({ last }))
      .execute();
    await recordIncident(context, 'bridge_behind', { device_ids: [device_id], revoked_ids: [] });
  });

/**
 * Asks for events that this bridge has acknowledged and does not have: its database was restored or has lost data. Asks
 * again after each hello, until the last of them has arrived.
 */
export const requestLostEvents = async (
  { services, downlink }: Pick<UplinkDependencies, 'services' | 'downlink'>,
  session: ActiveDeviceSession,
  link: DeviceLinkRow,
  { acknowledged_sequence: last }: HelloMqttMessage,
): Promise<void> => {
  const isBehind = last != null && last > link.event_sequence;
  if (isBehind) await recordLostEvents(services, link, link.event_sequence + 1, last);
  const lost = await services.deviceRows.lostEvents.load(link.device_id);
  if (lost === undefined) return;
  session.lastLostEvent = lost.last;
  await downlink.send(session, 'resend-events', { v: 1, from: lost.first });
};

/** To be called after the events are committed. Controllers send them in order. */
export const finishLostEventRecovery = async (
  { services, sessions }: Pick<UplinkDependencies, 'services' | 'sessions'>,
  deviceId: string,
  events: readonly DeviceEvent[],
): Promise<void> => {
  const session = sessions.of(deviceId);
  const last = session?.lastLostEvent ?? null;
  if (session === undefined || last === null || !events.some(({ sequence }) => sequence === last)) return;
  session.lastLostEvent = null;
  await services.storage.writer.deleteFrom('lost_events').where('device_id', '=', deviceId).execute();
};
