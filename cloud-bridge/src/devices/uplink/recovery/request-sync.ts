import type { SyncRequestMessage } from '@lintel/wire-protocol/mqtt/messages/sync-request';
import type { ActiveDeviceSession } from '../../device-session-registry.ts';
import type { UplinkDependencies } from '../uplink-dependencies.ts';

/** A controller that asks for a snapshot again without an answer is of an earlier version. */
const MAX_REQUESTS = 2;

/**
 * Sends what the controller lacks. If this bridge does not know the snapshot of the controller, it may have lost data: it
 * then asks for the revocations that the controller knows, and sends the snapshot after them.
 */
export const syncAfterRevocations = async (
  { downlink, sync, enqueueSync }: UplinkDependencies,
  session: ActiveDeviceSession,
  request: SyncRequestMessage,
): Promise<void> => {
  const { have } = request;
  const isSettled = have === null || session.hasSentRevocations || session.revocationRequests >= MAX_REQUESTS;
  if (isSettled || (await sync.isKnown(session, have)))
    return enqueueSync(session.deviceId, () => sync.handleSyncRequest(session, request));
  session.waitingSyncRequest = request;
  session.revocationRequests += 1;
  await downlink.send(session, 'resend-revocations', { v: 1 });
};
