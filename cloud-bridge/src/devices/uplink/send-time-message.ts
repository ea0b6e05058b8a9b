import type { TimeMqttMessage } from '@lintel/wire-protocol/mqtt/messages/time';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { ActiveDeviceSession } from '../device-session-registry.ts';
import type { UplinkDependencies } from './uplink-dependencies.ts';

/** A controller compares these counters with its own to detect withheld messages. Null for a deleted organization. */
export const loadRevisionAndRevocationCounter = async (
  { deviceRows }: Pick<BridgeServices, 'deviceRows'>,
  organizationId: string,
): Promise<Pick<TimeMqttMessage, 'revision' | 'revoke_counter'> | null> => {
  const row = await deviceRows.counters.load(organizationId);
  return row === undefined ? null : { revision: row.revision, revoke_counter: row.revoke_counter };
};

export const sendTimeMessage = async (
  { services, downlink }: Pick<UplinkDependencies, 'services' | 'downlink'>,
  session: ActiveDeviceSession,
  nonce: string,
  needsHello = false,
): Promise<void> => {
  const counters = await loadRevisionAndRevocationCounter(services, session.organizationId);
  if (counters === null) return;
  const time: TimeMqttMessage = {
    v: 1,
    nonce,
    time: services.clock(),
    ...counters,
    ...(needsHello && { needs_hello: true }),
  };
  await downlink.send(session, 'time', time);
};
