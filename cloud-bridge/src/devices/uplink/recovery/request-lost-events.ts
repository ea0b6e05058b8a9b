import type { HelloMessage } from '@lintel/wire-protocol/mqtt/messages/hello';
import { recordBridgeBehind } from '../../../resources/incidents.ts';
import type { DeviceLinkRow } from '../../../storage/device-schema.ts';
import type { ActiveDeviceSession } from '../../device-session-registry.ts';
import type { UplinkDependencies } from '../uplink-dependencies.ts';

/** Asks for events that this bridge has acknowledged and does not have: its database was restored or has lost data. */
export const requestLostEvents = async (
  { services, downlink }: Pick<UplinkDependencies, 'services' | 'downlink'>,
  session: ActiveDeviceSession,
  { device_id, organization_id, event_sequence }: DeviceLinkRow,
  { acknowledged_sequence }: HelloMessage,
): Promise<void> => {
  if (acknowledged_sequence == null || acknowledged_sequence <= event_sequence) return;
  await services.writer.write(organization_id, { device_id }, context =>
    recordBridgeBehind(context, { device_ids: [device_id], revoked_ids: [] }),
  );
  await downlink.send(session, 'resend-events', { v: 1, from: event_sequence + 1 });
};
