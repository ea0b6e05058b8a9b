import { addMilliseconds, type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';
import type { PartFault } from '../interfaces/part-fault.ts';
import { handleOsdpChallengeReply, handleOsdpProofReply, rejectUnknownOsdpReader } from './handshake.ts';
import type { OsdpCommand } from './encode-osdp-command.ts';
import type { ReceivedOsdpPacket } from './packet.ts';
import { handleOsdpIdReply, handleOsdpReply } from './handle-peripheral-replies.ts';
import { recordOsdpSessionFailure, markOsdpPeripheralLost } from './peripheral-faults.ts';
import type {
  OsdpInFlightCommand,
  OsdpPeripheralEffect,
  OsdpPeripheralInput,
  OsdpPeripheralSetup,
  OsdpPeripheralState,
  OsdpPeripheralStep,
} from './peripheral-state-types.ts';
import { formatOsdpReaderName, OSDP_TURNAROUND_MS } from './peripheral-state-types.ts';
import { decodeOsdpReply, type OsdpReply } from './decode-osdp-reply.ts';
import { unsealOsdpReply } from './secure-session.ts';
import { chooseNextOsdpCommand, prepareOsdpTransmission } from './prepare-transmission.ts';

const POLL_MS = 50;
const BUSY_PAUSE_MS = 100;
const LONGEST_BUSY_MS = 3_000;
const MOST_TRIES = 3;
/** A reader silent for this long is absent, however rarely a busy bus polled it. */
const UNHEARD_MS = 1_500;
/** Readers drop a secure channel that was idle for this long. */
const SESSION_IDLE_MS = 8_000;
const MOST_QUEUED = 64;

const NAK_CHECK = 1;
const NAK_SEQUENCE = 4;

/** Relays go before lights and sounds that are still waiting: people wait for the door. */
const enqueue = (queue: readonly OsdpCommand[], command: OsdpCommand): readonly OsdpCommand[] => {
  if (command.type !== 'out') return [...queue, command];
  const place = queue.findLastIndex(({ type }) => type === 'out') + 1;
  return queue.toSpliced(place, 0, command);
};

/** A reader that was restarted expects the sequence to begin again, and answers with its own number. */
const isFromRestartedReader = (packet: ReceivedOsdpPacket, reply: OsdpReply | null): boolean =>
  packet.sequence === 0 && reply?.type === 'nak' && reply.reason === NAK_SEQUENCE;

const answered: OsdpPeripheralEffect = { type: 'answered' };

const noAnswer = (setup: OsdpPeripheralSetup, has_heard_damage: boolean): PartFault =>
  has_heard_damage
    ? {
        kind: 'broken',
        message: `${formatOsdpReaderName(setup)} sends damaged responses: check termination, bias, ground and baud rate, and look for a second device with this address`,
      }
    : { kind: 'absent', message: `${formatOsdpReaderName(setup)} does not respond` };

export const canQueueOsdpCommand = ({ online, queue }: OsdpPeripheralState): boolean =>
  online && queue.length < MOST_QUEUED;

const isUnheard = ({ heard_at }: OsdpPeripheralState, now: MonotonicTime): boolean =>
  heard_at !== null && now - heard_at >= UNHEARD_MS;

const turn = (setup: OsdpPeripheralSetup, state: OsdpPeripheralState, now: MonotonicTime): OsdpPeripheralStep => {
  const { in_flight, session, heard_at } = state;
  if (session !== null && heard_at !== null && now - heard_at > SESSION_IDLE_MS)
    return recordOsdpSessionFailure(state, `${formatOsdpReaderName(setup)} was not asked in time`, now);
  if (in_flight === null) {
    const next = chooseNextOsdpCommand(state, now);
    return prepareOsdpTransmission(setup, next.state, next.command, now);
  }
  if (in_flight.tries > 0 && isUnheard(state, now))
    return markOsdpPeripheralLost(state, noAnswer(setup, in_flight.has_heard_damage), now);
  return {
    state: { ...state, in_flight: { ...in_flight, tries: in_flight.tries + 1 } },
    effects: [{ type: 'send', bytes: in_flight.bytes }],
  };
};

const silence = (
  setup: OsdpPeripheralSetup,
  state: OsdpPeripheralState,
  has_heard_damage: boolean,
  now: MonotonicTime,
): OsdpPeripheralStep => {
  const tries = state.in_flight?.tries ?? MOST_TRIES;
  if (tries >= MOST_TRIES || isUnheard(state, now) || state.fault?.kind === 'absent')
    return markOsdpPeripheralLost(state, noAnswer(setup, has_heard_damage), now);
  const in_flight = state.in_flight && { ...state.in_flight, has_heard_damage };
  return { state: { ...state, in_flight, due_at: now }, effects: [] };
};

/** Sequence number of the next command. Zero is used only to begin a session. */
const following = (sequence: number): number => (sequence % 3) + 1;

const done = (state: OsdpPeripheralState, in_flight: OsdpInFlightCommand, now: MonotonicTime): OsdpPeripheralState => {
  const due = state.phase.name !== 'watch' || state.queue.length > 0 || state.questions.length > 0;
  const soonest = addMilliseconds(now, OSDP_TURNAROUND_MS);
  return {
    ...state,
    in_flight: null,
    busy_since: null,
    sequence: following(in_flight.sequence),
    due_at: due ? soonest : monotonic(Math.max(soonest, in_flight.sent_at + POLL_MS)),
  };
};

const busy = (
  setup: OsdpPeripheralSetup,
  state: OsdpPeripheralState,
  in_flight: OsdpInFlightCommand,
  now: MonotonicTime,
): OsdpPeripheralStep => {
  const busy_since = state.busy_since ?? now;
  if (now - busy_since > LONGEST_BUSY_MS)
    return markOsdpPeripheralLost(
      state,
      { kind: 'broken', message: `${formatOsdpReaderName(setup)} is permanently busy` },
      now,
      [answered],
    );
  return {
    state: { ...state, busy_since, in_flight: { ...in_flight, tries: 0 }, due_at: addMilliseconds(now, BUSY_PAUSE_MS) },
    effects: [answered],
  };
};

/** A reply outside the secure channel only restarts the session. */
const outsideSession = (
  setup: OsdpPeripheralSetup,
  state: OsdpPeripheralState,
  now: MonotonicTime,
): OsdpPeripheralStep =>
  recordOsdpSessionFailure(state, `${formatOsdpReaderName(setup)} does not keep to the secure channel`, now, [
    answered,
  ]);

const received = (
  setup: OsdpPeripheralSetup,
  state: OsdpPeripheralState,
  packet: ReceivedOsdpPacket,
  now: MonotonicTime,
): OsdpPeripheralStep => {
  const { in_flight, phase, session } = state;
  if (in_flight === null || !packet.from_peripheral || packet.address !== setup.address) return { state, effects: [] };
  const clear = packet.security === null ? decodeOsdpReply(packet.id, packet.data) : null;
  if (clear?.type === 'busy') return busy(setup, { ...state, heard_at: now }, in_flight, now);
  // A late reply to an earlier attempt.
  if (packet.sequence !== in_flight.sequence && !isFromRestartedReader(packet, clear)) return { state, effects: [] };
  const heard = { ...state, heard_at: now };
  if (clear?.type === 'nak' && clear.reason === NAK_CHECK && in_flight.tries < MOST_TRIES)
    return { state: { ...heard, due_at: addMilliseconds(now, OSDP_TURNAROUND_MS) }, effects: [answered] };
  const next = done(heard, in_flight, now);
  if (phase.name === 'greet') return handleOsdpIdReply(setup, next, clear, now);
  if (phase.name === 'challenge' || phase.name === 'prove') {
    const reply = decodeOsdpReply(packet.id, packet.data);
    return phase.name === 'challenge'
      ? handleOsdpChallengeReply(setup, next, phase, reply, now)
      : handleOsdpProofReply(setup, next, phase, reply, packet.security, now);
  }
  if (session === null) return handleOsdpReply(setup, next, in_flight, clear, now);
  const unsealed = unsealOsdpReply(setup.aes, session, packet);
  if (unsealed === null)
    // After a power loss, a reader only reports that it has no session.
    return clear?.type === 'nak' ? outsideSession(setup, next, now) : rejectUnknownOsdpReader(setup, next, now);
  return handleOsdpReply(
    setup,
    { ...next, session: unsealed.session },
    in_flight,
    decodeOsdpReply(packet.id, unsealed.data),
    now,
  );
};

/** State machine of one reader on the bus, from the panel's side. */
export const stepOsdpPeripheral = (
  setup: OsdpPeripheralSetup,
  state: OsdpPeripheralState,
  input: OsdpPeripheralInput,
  now: MonotonicTime,
): OsdpPeripheralStep => {
  switch (input.type) {
    case 'turn':
      return turn(setup, state, now);
    case 'packet':
      return received(setup, state, input.packet, now);
    case 'silence':
      return silence(setup, state, input.has_heard_damage, now);
    case 'command':
      return canQueueOsdpCommand(state)
        ? {
            state: {
              ...state,
              queue: enqueue(state.queue, input.command),
              due_at: monotonic(Math.min(state.due_at, now)),
            },
            effects: [],
          }
        : { state, effects: [] };
    case 'line_lost':
      return markOsdpPeripheralLost(state, input.fault, now);
    case 'line_back':
      return { state: { ...state, due_at: now }, effects: [] };
    case 'replace': {
      const { online, in_flight, due_at } = state;
      const soonest = addMilliseconds(now, OSDP_TURNAROUND_MS);
      const isWaiting = input.window !== null && !online && in_flight === null;
      const soon = isWaiting ? monotonic(Math.min(due_at, soonest)) : due_at;
      return { state: { ...state, replacement: input.window, key_choice: 0, due_at: soon }, effects: [] };
    }
    case 'key_not_kept':
      return recordOsdpSessionFailure(
        state,
        `the key of ${formatOsdpReaderName(setup)} cannot be kept in ${setup.key_store.place}: look at the disk`,
        now,
      );
  }
};
