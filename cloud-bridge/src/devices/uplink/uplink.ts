import type { DeviceId } from '@lintel/access-core/ids';
import type { Message } from '@lintel/wire-protocol/mqtt/message-table';
import type { Topic, UpKind } from '@lintel/wire-protocol/mqtt/topics';
import { handleEvents } from './events.ts';
import { handleGoodbye } from './goodbye.ts';
import { handleHello } from './hello.ts';
import { continuedSession, resumedSession } from './link-session.ts';
import { openMessage } from './opened-message.ts';
import { isPeerKind, routeToPeer } from './peer-routing.ts';
import { handlePresence } from './presence.ts';
import { handleRulesChanged } from './rules-changed.ts';
import { handleRulesCopy } from './rules-copy.ts';
import { handleSiteRequest } from './site-request.ts';
import { handleState, handleStatus } from './state.ts';
import { sendTime } from './time-request.ts';
import type { UplinkDesk } from './uplink-desk.ts';
import type { Origin, Session } from '../sessions.ts';

/** Null when it was dealt with, else why not. */
type Handler<K extends UpKind> = (
  desk: UplinkDesk,
  device: DeviceId,
  message: Message<K>,
  origin: Origin,
) => Promise<string | null>;

type PlainKind = Exclude<UpKind, `peer-${string}`>;

const inSession = async (
  desk: UplinkDesk,
  device: DeviceId,
  work: (session: Session) => Promise<void> | void,
  earlier = continuedSession,
): Promise<string | null> => {
  const session = desk.sessions.of(device) ?? (await earlier(desk, device));
  if (session === undefined) return 'there is no session';
  await work(session);
  return null;
};

const handlers: { readonly [K in PlainKind]: Handler<K> } = {
  hello: handleHello,
  goodbye: async (desk, device, { session_nonce }, origin) => {
    await handleGoodbye(desk, device, session_nonce, origin);
    return null;
  },
  presence: handlePresence,
  events: handleEvents,
  status: handleStatus,
  state: handleState,
  'action-result': async ({ actions }, device, result) => {
    actions.answered(device, result);
    return null;
  },
  'sync-request': (desk, device, request) =>
    inSession(
      desk,
      device,
      session => desk.inSyncLane(device, () => desk.sync.ask(session, request)),
      // It says itself what it holds.
      resumedSession,
    ),
  serving: (desk, device, serving) =>
    inSession(desk, device, session => desk.inSyncLane(device, () => desk.sync.serves(session, serving))),
  'time-request': (desk, device, { nonce }) => inSession(desk, device, session => sendTime(desk, session, nonce)),
  'rules-changed': handleRulesChanged,
  'rules-copy': handleRulesCopy,
  'site-request': handleSiteRequest,
  'update-report': ({ rollouts }, device, report) => rollouts.reported(device, report),
  'technician-answer': async ({ technicians }, device, answer) => {
    technicians.answered(device, answer);
    return null;
  },
  'technician-live': async ({ technicians }, device, live) => {
    technicians.happened(device, live);
    return null;
  },
};

/** Why a message was dropped: one of a few reasons, and what exactly was wrong where there is more to say. */
interface Refusal {
  readonly reason: string;
  readonly place?: string;
}

const refusedFor = (reason: string | null): Refusal | null => (reason === null ? null : { reason });

const handle = async <K extends PlainKind>(
  desk: UplinkDesk,
  device: DeviceId,
  kind: K,
  payload: Uint8Array,
  origin: Origin,
): Promise<Refusal | null> => {
  const opened = await openMessage(desk.services, device, kind, payload);
  if (opened.ok) return refusedFor(await (handlers[kind] as Handler<K>)(desk, device, opened.value, origin));
  const [first] = opened.problems;
  return { reason: first?.code ?? 'invalid', place: first?.path ?? '' };
};

/** One message of a controller. Answers what is wrong with it; nothing of that is fatal. */
export const receive = async (
  desk: UplinkDesk,
  { device_id, kind }: Topic & { readonly direction: 'up' },
  payload: Uint8Array,
  origin: Origin,
): Promise<Refusal | null> =>
  isPeerKind(kind)
    ? refusedFor(await routeToPeer(desk, device_id, kind, payload))
    : handle(desk, device_id, kind, payload, origin);
