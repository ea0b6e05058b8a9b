import type { DeviceId } from '@lintel/access-core/ids';
import type { MqttMessageContent } from '@lintel/wire-protocol/mqtt/message-definitions';
import type { MqttTopic, UplinkMessageKind } from '@lintel/wire-protocol/mqtt/topics';
import { handleUplinkEvents } from './handlers/events.ts';
import { handleGoodbye } from './handlers/goodbye.ts';
import { handleHello } from './handlers/hello.ts';
import { restoreAndSyncDeviceSession, restoreDeviceSession } from './restore-device-session.ts';
import { verifyAndDecodeUplinkMessage, type VerifiedUplinkMessage } from './verify-uplink-message.ts';
import { acceptUplinkMessageInSession } from './uplink-replay-protection.ts';
import { isPeerMessageKind, forwardPeerMessage } from './peer-routing.ts';
import { handleConnectedDevices } from './handlers/devices-connected-through-gateway.ts';
import { handleReportedRevocations } from './handlers/reported-revocations.ts';
import { handleInputRulesChanged } from './handlers/input-rules-changed.ts';
import { handleCopyInputRules } from './handlers/copy-input-rules-between-controllers.ts';
import { handleSiteDirectoryRequest } from './handlers/site-directory-request.ts';
import { handleGadgetStates, handleDeviceStatus } from './handlers/gadget-states-and-device-status.ts';
import { handleTimeRequest } from './handlers/time-request.ts';
import { raiseOrganizationCounters } from './data-loss-recovery/raise-organization-counters.ts';
import { syncAfterReconciledRevocations } from './data-loss-recovery/reconcile-revocations-before-sync.ts';
import type { UplinkDependencies } from './uplink-dependencies.ts';
import type { UplinkMessageOrigin, ActiveDeviceSession } from '../device-session-registry.ts';

/** Returns null, or the reason for rejecting the message. */
type Handler<K extends UplinkMessageKind> = (
  uplink: UplinkDependencies,
  device: DeviceId,
  message: MqttMessageContent<K>,
  origin: UplinkMessageOrigin,
  counter: number,
) => Promise<string | null>;

type HandledKind = Exclude<UplinkMessageKind, `peer-${string}`>;

const withSession = async (
  uplink: UplinkDependencies,
  device: DeviceId,
  useSession: (session: ActiveDeviceSession) => Promise<void> | void,
): Promise<string | null> => {
  const session = uplink.sessions.of(device);
  if (session === undefined) return 'no session';
  await useSession(session);
  return null;
};

const handlers: { readonly [K in HandledKind]: Handler<K> } = {
  hello: handleHello,
  goodbye: async (uplink, device, { session_nonce }, origin) => {
    await handleGoodbye(uplink, device, session_nonce, origin);
    return null;
  },
  'connected-devices': handleConnectedDevices,
  events: handleUplinkEvents,
  status: handleDeviceStatus,
  state: handleGadgetStates,
  'action-result': async ({ actions }, device, result) => {
    actions.handleResult(device, result);
    return null;
  },
  'sync-request': async (uplink, device, request) => {
    const session = uplink.sessions.of(device);
    if (session === undefined) return 'no session';
    const reported = { revision: request.have?.revision ?? -1, revoke_counter: request.revoke_counter ?? 0 };
    if (!(await raiseOrganizationCounters(uplink, session, reported))) return 'reports more than this bridge has sent';
    await syncAfterReconciledRevocations(uplink, session, request);
    return null;
  },
  revocations: handleReportedRevocations,
  'active-revision': (uplink, device, active) =>
    withSession(uplink, device, session =>
      uplink.enqueueSync(device, () => uplink.sync.handleActiveRevision(session, active)),
    ),
  'time-request': handleTimeRequest,
  'rules-changed': handleInputRulesChanged,
  'rules-copy': handleCopyInputRules,
  'site-request': handleSiteDirectoryRequest,
  'update-report': ({ rollouts }, device, report) => rollouts.handleReport(device, report),
  'technician-answer': async ({ technicians }, device, answer) => {
    technicians.onResponse(device, answer);
    return null;
  },
  'technician-live': async ({ technicians }, device, live) => {
    technicians.onLive(device, live);
    return null;
  },
};

interface Rejection {
  readonly reason: string;
  readonly place?: string;
}

const toRejection = (reason: string | null): Rejection | null => (reason === null ? null : { reason });

/**
 * Messages that belong to the session they were signed in. Of the others, a hello opens a session, a goodbye names its
 * session, results name their request, and events and rule changes have ids of their own.
 */
const sessionKinds: ReadonlySet<UplinkMessageKind> = new Set<HandledKind>([
  'connected-devices',
  'status',
  'state',
  'sync-request',
  'active-revision',
  'time-request',
  'rules-copy',
  'site-request',
  'revocations',
  'update-report',
]);

const checkSession = async (
  uplink: UplinkDependencies,
  device: DeviceId,
  kind: UplinkMessageKind,
  signed: VerifiedUplinkMessage<UplinkMessageKind>,
): Promise<string | null> => {
  if (!sessionKinds.has(kind)) return null;
  // A sync request contains what the controller holds.
  const restore = kind === 'sync-request' ? restoreDeviceSession : restoreAndSyncDeviceSession;
  const session = uplink.sessions.of(device) ?? (await restore(uplink, device));
  if (session === undefined) return 'no session';
  return acceptUplinkMessageInSession(session, kind, signed) ? null : 'replayed or of another session';
};

const handle = async <K extends HandledKind>(
  uplink: UplinkDependencies,
  device: DeviceId,
  kind: K,
  payload: Uint8Array,
  origin: UplinkMessageOrigin,
): Promise<Rejection | null> => {
  const decoded = await uplink.retry(() => verifyAndDecodeUplinkMessage(uplink.services, device, kind, payload));
  if (!decoded.ok) {
    const [first] = decoded.problems;
    return { reason: first?.code ?? 'invalid', place: first?.path ?? '' };
  }
  const { message, counter } = decoded.value;
  uplink.gateways.recordForwarded(device, origin.from);
  const rejection = await uplink.retry(() => checkSession(uplink, device, kind, decoded.value));
  if (rejection !== null) return toRejection(rejection);
  const handler = handlers[kind] as Handler<K>;
  return toRejection(await uplink.retry(() => handler(uplink, device, message, origin, counter)));
};

/** Returns null, or why the message was dropped. */
export const handleUplinkMessage = async (
  uplink: UplinkDependencies,
  { device_id, kind }: MqttTopic & { readonly direction: 'up' },
  payload: Uint8Array,
  origin: UplinkMessageOrigin,
): Promise<Rejection | null> =>
  isPeerMessageKind(kind)
    ? toRejection(await forwardPeerMessage(uplink, device_id, kind, payload))
    : handle(uplink, device_id, kind, payload, origin);
