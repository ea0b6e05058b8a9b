import type { SyncRequestMqttMessage } from '@lintel/wire-protocol/mqtt/messages/sync-request';
import { computeMaxBackoffDelay } from '@lintel/service/timing/backoff';
import type { ActiveDeviceSession, RequestRetryState } from '../../device-session-registry.ts';
import { setFaultDetectedByBridge } from '../update-device-status.ts';
import { sendTimeMessage } from '../send-time-message.ts';
import type { UplinkDependencies } from '../uplink-dependencies.ts';

const REQUEST_AGAIN = { firstMs: 1_000, longestMs: 300_000 };
/** A controller answers at once, unless its link is slow. */
const FAULT_AT_REQUEST = 3;
const FAULT = {
  code: 'revocations_not_received',
  message:
    'The bridge was restored and waits for the revocations that this controller knows. The controller gets no new access data until they arrive. Check the gateway and the broker: someone may be withholding messages. Update firmware that does not answer',
} as const;

type RequestDependencies = Pick<UplinkDependencies, 'services' | 'downlink'>;

/** Whether this bridge knows every revocation that the controller knows. */
const isReconciled = async (
  { sync }: Pick<UplinkDependencies, 'sync'>,
  session: ActiveDeviceSession,
  have: SyncRequestMqttMessage['have'],
): Promise<boolean> => {
  if (session.hasSentRevocations) return true;
  if (session.awaitsRevocations) return false;
  return have === null ? session.isNew : sync.isKnown(session, have);
};

/** Whether the request is to be sent now. Counts it. */
const beginRequest = (request: RequestRetryState): boolean => {
  const now = performance.now();
  if (now < request.nextAt) return false;
  request.nextAt = now + computeMaxBackoffDelay(REQUEST_AGAIN, request.count);
  request.count += 1;
  return true;
};

/** The controller answers a time that it has not requested with a `time-request`, which reports its position. */
export const requestSyncPosition = async (
  dependencies: RequestDependencies,
  session: ActiveDeviceSession,
): Promise<void> => {
  const { positionRequest, nonce } = session;
  if (positionRequest !== null && beginRequest(positionRequest)) await sendTimeMessage(dependencies, session, nonce);
};

const requestRevocations = async (
  { services, downlink }: RequestDependencies,
  session: ActiveDeviceSession,
): Promise<void> => {
  if (!beginRequest(session.revocationRequest)) return;
  await downlink.send(session, 'resend-revocations', { v: 1 });
  if (session.revocationRequest.count !== FAULT_AT_REQUEST) return;
  const { deviceId: device_id, organizationId } = session;
  await services.writer.write(organizationId, { device_id }, context =>
    setFaultDetectedByBridge(context, device_id, FAULT),
  );
};

/** Repeats requests without an answer, with backoff. */
export const repeatRecoveryRequests = async (
  dependencies: RequestDependencies & Pick<UplinkDependencies, 'sessions'>,
): Promise<void> => {
  for (const session of dependencies.sessions.all()) {
    await requestSyncPosition(dependencies, session);
    if (session.waitingSyncRequest !== null) await requestRevocations(dependencies, session);
  }
};

/**
 * Sends what the controller lacks. If this bridge may have lost data, it asks for the revocations that the controller
 * knows, and sends access data only after the signed answer: a broker or gateway that drops the answer must not make a
 * revoked credential valid again. Revocations are sent in the meantime.
 */
export const syncAfterReconciledRevocations = async (
  uplink: UplinkDependencies,
  session: ActiveDeviceSession,
  request: SyncRequestMqttMessage,
): Promise<void> => {
  if (await isReconciled(uplink, session, request.have))
    return uplink.enqueueSync(session.deviceId, () => uplink.sync.handleSyncRequest(session, request));
  session.waitingSyncRequest = request;
  await requestRevocations(uplink, session);
};
