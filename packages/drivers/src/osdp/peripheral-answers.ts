import { after, type Monotonic, monotonic } from '@lintel/access-core/monotonic';
import type { Command } from './commands.ts';
import { beginSession, keyTaken } from './handshake.ts';
import { failedSession, withFault } from './peripheral-ending.ts';
import type {
  InFlight,
  PeripheralEffect,
  PeripheralSetup,
  PeripheralState,
  PeripheralStep,
} from './peripheral-model.ts';
import { readerAt, TURNAROUND_MS } from './peripheral-model.ts';
import type { Reply } from './replies.ts';

const NAK = { sequence: 4, security: 5, encryption: 6 } as const;

const answered: PeripheralEffect = { type: 'answered' };

const opened = (setup: PeripheralSetup) => ({ kind: 'tampered', message: `${readerAt(setup)} was opened` }) as const;

const online = (setup: PeripheralSetup, state: PeripheralState, now: Monotonic): PeripheralStep => {
  const { identity, tampered } = state;
  const entered: PeripheralState = { ...state, phase: { name: 'watch' }, online: true, ask_at: now };
  return withFault(entered, tampered ? opened(setup) : null, [answered, { type: 'ready', identity }]);
};

const QUIET: readonly Command['type'][] = ['poll', 'lstat', 'istat'];

/** Orders, unlike questions, are told whether they were obeyed. */
const executed = ({ type }: Command, refusal: number | null): readonly PeripheralEffect[] =>
  QUIET.includes(type) ? [] : [{ type: 'executed', command: type, refusal }];

const watched = (
  setup: PeripheralSetup,
  state: PeripheralState,
  command: Command,
  reply: Reply,
  now: Monotonic,
): PeripheralStep => {
  const healthy = { ...state, failures: 0 };
  if (reply.type === 'nak') {
    const answers = state.answers.filter(question => question !== command.type);
    return { state: { ...healthy, answers }, effects: [answered, ...executed(command, reply.reason)] };
  }
  const effects: readonly PeripheralEffect[] = [answered, ...executed(command, null)];
  if (reply.type === 'ack') return { state: healthy, effects };
  // There may be more where this came from.
  const due_at = monotonic(Math.min(state.due_at, after(now, TURNAROUND_MS)));
  const told: PeripheralStep = { state: { ...healthy, due_at }, effects: [...effects, { type: 'reply', reply }] };
  if (reply.type !== 'lstatr') return told;
  const { tampered } = reply;
  return withFault({ ...told.state, tampered }, tampered ? opened(setup) : null, told.effects);
};

/** Why the session must be made anew; null when all is well. */
const reasonToRestart = (reply: Reply | null): string | null => {
  if (reply === null) return 'answers what it was not asked';
  if (reply.type !== 'nak') return null;
  if (reply.reason === NAK.sequence) return 'loses count of the commands';
  return reply.reason === NAK.security || reply.reason === NAK.encryption ? 'asks for a secure channel' : null;
};

export const greeted = (
  setup: PeripheralSetup,
  state: PeripheralState,
  reply: Reply | null,
  now: Monotonic,
): PeripheralStep => {
  if (reply?.type === 'pdid') return beginSession(setup, { ...state, identity: reply.identity }, now);
  // Some do not say who they are before the channel is secure.
  if (reply?.type === 'nak') return beginSession(setup, state, now);
  return failedSession(state, `${readerAt(setup)} does not say what it is`, now, [answered]);
};

/** An answer that is beyond doubt, or in the clear where that is agreed. */
export const settled = (
  setup: PeripheralSetup,
  state: PeripheralState,
  { command }: InFlight,
  reply: Reply | null,
  now: Monotonic,
): PeripheralStep => {
  const reason = reasonToRestart(reply);
  if (reply === null || reason !== null) return failedSession(state, `${readerAt(setup)} ${reason}`, now, [answered]);
  switch (state.phase.name) {
    case 'hand_over_key':
      return keyTaken(state, reply, setup, now);
    case 'discover':
      return online(setup, state, now);
    default:
      return watched(setup, state, command, reply, now);
  }
};
