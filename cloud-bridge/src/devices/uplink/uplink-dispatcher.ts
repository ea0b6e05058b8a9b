import type { DeviceId } from '@lintel/access-core/ids';
import type { MqttMessage } from '@lintel/wire-protocol/mqtt/message-table';
import type { MqttTopic, UplinkMessageKind } from '@lintel/wire-protocol/mqtt/topics';
import { handleEvents } from './handlers/events.ts';
import { handleGoodbye } from './handlers/goodbye.ts';
import { handleHello } from './handlers/hello.ts';
import { restoreAndSyncDeviceSession, restoreDeviceSession } from './session-factory.ts';
import { decodeUplinkMessage } from './decode-uplink-message.ts';
import { isPeerKind, routeToPeer } from './peer-routing.ts';
import { handlePresence } from './handlers/presence.ts';
import { handleRulesChanged } from './handlers/rules-changed.ts';
import { handleRulesCopy } from './handlers/rules-copy.ts';
import { handleSiteRequest } from './handlers/site-request.ts';
import { handleState, handleStatus } from './handlers/state-and-status.ts';
import { sendTime } from './time-message.ts';
import type { UplinkDependencies } from './uplink-dependencies.ts';
import type { MessageOrigin, ActiveDeviceSession } from '../device-session-registry.ts';

/** Returns null, or the reason for rejecting the message. */
type Handler<K extends UplinkMessageKind> = (
  uplink: UplinkDependencies,
  device: DeviceId,
  message: MqttMessage<K>,
  origin: MessageOrigin,
) => Promise<string | null>;

type HandledKind = Exclude<UplinkMessageKind, `peer-${string}`>;

const withSession = async (
  uplink: UplinkDependencies,
  device: DeviceId,
  useSession: (session: ActiveDeviceSession) => Promise<void> | void,
  restore = restoreAndSyncDeviceSession,
): Promise<string | null> => {
  const session = uplink.sessions.of(device) ?? (await restore(uplink, device));
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
  presence: handlePresence,
  events: handleEvents,
  status: handleStatus,
  state: handleState,
  'action-result': async ({ actions }, device, result) => {
    actions.handleResult(device, result);
    return null;
  },
  'sync-request': (uplink, device, request) =>
    withSession(
      uplink,
      device,
      session => uplink.enqueueSync(device, () => uplink.sync.handleSyncRequest(session, request)),
      // The request contains the revision, so the session is restored without a sync.
      restoreDeviceSession,
    ),
  serving: (uplink, device, serving) =>
    withSession(uplink, device, session =>
      uplink.enqueueSync(device, () => uplink.sync.handleServing(session, serving)),
    ),
  'time-request': (uplink, device, { nonce }) =>
    withSession(uplink, device, session => sendTime(uplink, session, nonce)),
  'rules-changed': handleRulesChanged,
  'rules-copy': handleRulesCopy,
  'site-request': handleSiteRequest,
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

const handle = async <K extends HandledKind>(
  uplink: UplinkDependencies,
  device: DeviceId,
  kind: K,
  payload: Uint8Array,
  origin: MessageOrigin,
): Promise<Rejection | null> => {
  const message = await decodeUplinkMessage(uplink.services, device, kind, payload);
  if (message.ok) return toRejection(await (handlers[kind] as Handler<K>)(uplink, device, message.value, origin));
  const [first] = message.problems;
  return { reason: first?.code ?? 'invalid', place: first?.path ?? '' };
};

/** Returns null, or why the message was dropped. */
export const handleUplinkMessage = async (
  uplink: UplinkDependencies,
  { device_id, kind }: MqttTopic & { readonly direction: 'up' },
  payload: Uint8Array,
  origin: MessageOrigin,
): Promise<Rejection | null> =>
  isPeerKind(kind)
    ? toRejection(await routeToPeer(uplink, device_id, kind, payload))
    : handle(uplink, device_id, kind, payload, origin);
