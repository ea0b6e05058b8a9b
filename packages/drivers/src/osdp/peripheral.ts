import { after, type Monotonic, monotonic } from '@lintel/access-core/monotonic';
import type { PartFault } from '../ports/part-fault.ts';
import { challenged, proven, strangerHeard } from './handshake.ts';
import type { ReceivedPacket } from './packet.ts';
import { greeted, settled } from './peripheral-answers.ts';
import { failedSession, lost } from './peripheral-ending.ts';
import type {
  InFlight,
  PeripheralEffect,
  PeripheralInput,
  PeripheralSetup,
  PeripheralState,
  PeripheralStep,
} from './peripheral-model.ts';
import { readerAt, TURNAROUND_MS } from './peripheral-model.ts';
import { decodeReply } from './replies.ts';
import { openReply } from './secure-session.ts';
import { nextCommand, transmit } from './transmission.ts';

const POLL_MS = 50;
const BUSY_PAUSE_MS = 100;
const LONGEST_BUSY_MS = 3_000;
const MOST_TRIES = 3;
/** Whoever has not been heard for so long is gone, however few chances a full bus gave it. */
const UNHEARD_MS = 1_500;
/** Readers give up a secure channel that was quiet for so long. */
const SESSION_IDLE_MS = 8_000;
const MOST_QUEUED = 64;

const NAK_CHECK = 1;

const answered: PeripheralEffect = { type: 'answered' };

const noAnswer = (setup: PeripheralSetup, has_heard_damage: boolean): PartFault =>
  has_heard_damage
    ? {
        kind: 'broken',
        message: `the answers of ${readerAt(setup)} come damaged: look at termination, bias, ground and baud rate, and for a second reader at this address`,
      }
    : { kind: 'absent', message: `${readerAt(setup)} does not answer` };

export const canTake = ({ online, queue }: PeripheralState): boolean => online && queue.length < MOST_QUEUED;

const isUnheard = ({ heard_at }: PeripheralState, now: Monotonic): boolean =>
  heard_at !== null && now - heard_at >= UNHEARD_MS;

const turn = (setup: PeripheralSetup, state: PeripheralState, now: Monotonic): PeripheralStep => {
  const { in_flight, session, heard_at } = state;
  if (session !== null && heard_at !== null && now - heard_at > SESSION_IDLE_MS)
    return failedSession(state, `${readerAt(setup)} was not asked in time`, now);
  if (in_flight === null) {
    const next = nextCommand(state, now);
    return transmit(setup, next.state, next.command, now);
  }
  if (in_flight.tries > 0 && isUnheard(state, now))
    return lost(state, noAnswer(setup, in_flight.has_heard_damage), now);
  return {
    state: { ...state, in_flight: { ...in_flight, tries: in_flight.tries + 1 } },
    effects: [{ type: 'send', bytes: in_flight.bytes }],
  };
};

const silence = (
  setup: PeripheralSetup,
  state: PeripheralState,
  has_heard_damage: boolean,
  now: Monotonic,
): PeripheralStep => {
  const tries = state.in_flight?.tries ?? MOST_TRIES;
  if (tries >= MOST_TRIES || isUnheard(state, now) || state.fault?.kind === 'absent')
    return lost(state, noAnswer(setup, has_heard_damage), now);
  const in_flight = state.in_flight && { ...state.in_flight, has_heard_damage };
  return { state: { ...state, in_flight, due_at: now }, effects: [] };
};

/** The number of the next command. Zero only ever begins a session. */
const following = (sequence: number): number => (sequence % 3) + 1;

const done = (state: PeripheralState, in_flight: InFlight, now: Monotonic): PeripheralState => {
  const due = state.phase.name !== 'watch' || state.queue.length > 0 || state.questions.length > 0;
  const soonest = after(now, TURNAROUND_MS);
  return {
    ...state,
    in_flight: null,
    busy_since: null,
    sequence: following(in_flight.sequence),
    due_at: due ? soonest : monotonic(Math.max(soonest, in_flight.sent_at + POLL_MS)),
  };
};

const busy = (setup: PeripheralSetup, state: PeripheralState, in_flight: InFlight, now: Monotonic): PeripheralStep => {
  const busy_since = state.busy_since ?? now;
  if (now - busy_since > LONGEST_BUSY_MS)
    return lost(state, { kind: 'broken', message: `${readerAt(setup)} is busy all the time` }, now, [answered]);
  return {
    state: { ...state, busy_since, in_flight: { ...in_flight, tries: 0 }, due_at: after(now, BUSY_PAUSE_MS) },
    effects: [answered],
  };
};

/** The reader's word outside the secure channel. It counts for no more than that the session is to be made anew. */
const outsideSession = (setup: PeripheralSetup, state: PeripheralState, now: Monotonic): PeripheralStep =>
  failedSession(state, `${readerAt(setup)} does not keep to the secure channel`, now, [answered]);

const received = (
  setup: PeripheralSetup,
  state: PeripheralState,
  packet: ReceivedPacket,
  now: Monotonic,
): PeripheralStep => {
  const { in_flight, phase, session } = state;
  if (in_flight === null || !packet.from_peripheral || packet.address !== setup.address) return { state, effects: [] };
  const clear = packet.security === null ? decodeReply(packet.id, packet.data) : null;
  if (clear?.type === 'busy') return busy(setup, { ...state, heard_at: now }, in_flight, now);
  // The answer to an earlier sending of an earlier command, come late.
  if (packet.sequence !== in_flight.sequence) return { state, effects: [] };
  const heard = { ...state, heard_at: now };
  if (clear?.type === 'nak' && clear.reason === NAK_CHECK && in_flight.tries < MOST_TRIES)
    return { state: { ...heard, due_at: after(now, TURNAROUND_MS) }, effects: [answered] };
  const next = done(heard, in_flight, now);
  if (phase.name === 'greet') return greeted(setup, next, clear, now);
  if (phase.name === 'challenge' || phase.name === 'prove') {
    const reply = decodeReply(packet.id, packet.data);
    return phase.name === 'challenge'
      ? challenged(setup, next, phase, reply, now)
      : proven(setup, next, phase, reply, packet.security, now);
  }
  if (session === null) return settled(setup, next, in_flight, clear, now);
  const unsealed = openReply(setup.aes, session, packet);
  if (unsealed === null)
    // A reader that has lost its power says no more than that it knows of no session.
    return clear?.type === 'nak' ? outsideSession(setup, next, now) : strangerHeard(setup, next, now);
  return settled(setup, { ...next, session: unsealed.session }, in_flight, decodeReply(packet.id, unsealed.data), now);
};

/** One reader on the bus, as the control panel sees it. */
export const stepPeripheral = (
  setup: PeripheralSetup,
  state: PeripheralState,
  input: PeripheralInput,
  now: Monotonic,
): PeripheralStep => {
  switch (input.type) {
    case 'turn':
      return turn(setup, state, now);
    case 'packet':
      return received(setup, state, input.packet, now);
    case 'silence':
      return silence(setup, state, input.has_heard_damage, now);
    case 'command':
      return canTake(state)
        ? {
            state: { ...state, queue: [...state.queue, input.command], due_at: monotonic(Math.min(state.due_at, now)) },
            effects: [],
          }
        : { state, effects: [] };
    case 'line_lost':
      return lost(state, input.fault, now);
    case 'line_back':
      return { state: { ...state, due_at: now }, effects: [] };
    case 'key_not_kept':
      return failedSession(
        state,
        `the key of ${readerAt(setup)} cannot be kept in ${setup.key_store.place}: look at the disk`,
        now,
      );
  }
};
