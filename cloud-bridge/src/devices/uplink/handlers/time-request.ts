import type { DeviceId } from '@lintel/access-core/ids';
import type { DeviceSyncPosition, TimeRequestMqttMessage } from '@lintel/wire-protocol/mqtt/messages/time-request';
import type { ActiveDeviceSession } from '../../device-session-registry.ts';
import { syncAfterReconciledRevocations } from '../data-loss-recovery/reconcile-revocations-before-sync.ts';
import { loadRevisionAndRevocationCounter, sendTimeMessage } from '../send-time-message.ts';
import type { UplinkDependencies } from '../uplink-dependencies.ts';

/** Whether the controller holds more than this bridge has sent: the database was restored from a backup. */
const isBehind = async (
  { services, downlink }: UplinkDependencies,
  session: ActiveDeviceSession,
  { session_nonce, snapshot, acknowledged_sequence, down_counter, revoke_counter }: DeviceSyncPosition,
): Promise<boolean> => {
  // First, because the response must arrive.
  if (await downlink.continueAbove(session, down_counter)) return true;
  if (session_nonce !== session.nonce) return true;
  const [counters, link] = await Promise.all([
    loadRevisionAndRevocationCounter(services, session.organizationId),
    services.deviceRows.links.load(session.deviceId),
  ]);
  if (counters === null || link === undefined) return false;
  return (
    (snapshot?.revision ?? -1) > counters.revision ||
    revoke_counter > counters.revoke_counter ||
    (acknowledged_sequence ?? 0) > link.event_sequence
  );
};

/**
 * Answers with the time. A controller of a restored session that holds more than this bridge has sent answers with a
 * hello, which starts the recovery. Any other gets what it lacks.
 */
export const handleTimeRequest = async (
  uplink: UplinkDependencies,
  device: DeviceId,
  { nonce, position }: TimeRequestMqttMessage,
): Promise<string | null> => {
  const session = uplink.sessions.of(device);
  if (session === undefined) return 'no session';
  const isRestored = session.positionRequest !== null;
  const needsHello = isRestored && position !== undefined && (await isBehind(uplink, session, position));
  await sendTimeMessage(uplink, session, nonce, needsHello);
  if (!isRestored || needsHello) return null;
  session.positionRequest = null;
  const isSynced = session.snapshot !== null || session.pendingRevision !== null || session.waitingSyncRequest !== null;
  if (!isSynced)
    await syncAfterReconciledRevocations(uplink, session, { v: 1, have: position?.snapshot ?? null, resume: null });
  return null;
};
