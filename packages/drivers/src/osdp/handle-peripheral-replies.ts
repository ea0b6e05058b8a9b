import { addMilliseconds, type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';
import type { OsdpCommand } from './encode-osdp-command.ts';
import { beginOsdpSecureSession, handleOsdpKeySetReply } from './handshake.ts';
import { recordOsdpSessionFailure, setOsdpPeripheralFault } from './peripheral-faults.ts';
import type {
  OsdpInFlightCommand,
  OsdpPeripheralEffect,
  OsdpPeripheralSetup,
  OsdpPeripheralState,
  OsdpPeripheralStep,
} from './peripheral-state-types.ts';
import {
  formatOsdpReaderName,
  isOsdpStatusCommand,
  OSDP_TURNAROUND_MS,
  OSDP_STATUS_COMMANDS,
} from './peripheral-state-types.ts';
import type { OsdpReply } from './decode-osdp-reply.ts';

const NAK = { unknown_command: 3, sequence: 4, security: 5, encryption: 6 } as const;

const answered: OsdpPeripheralEffect = { type: 'answered' };

const opened = (setup: OsdpPeripheralSetup) =>
  ({ kind: 'tampered', message: `${formatOsdpReaderName(setup)} was opened` }) as const;

const online = (setup: OsdpPeripheralSetup, state: OsdpPeripheralState, now: MonotonicTime): OsdpPeripheralStep => {
  const { identity, tampered } = state;
  const entered: OsdpPeripheralState = {
    ...state,
    phase: { name: 'watch' },
    online: true,
    answers: OSDP_STATUS_COMMANDS,
    ask_at: now,
  };
  return setOsdpPeripheralFault(entered, tampered ? opened(setup) : null, [answered, { type: 'ready', identity }]);
};

/** Reports the result of commands, and of status requests only that they were refused. */
const executed = (command: OsdpCommand, refusal: number | null): readonly OsdpPeripheralEffect[] => {
  const { type } = command;
  const isQuiet = type === 'poll' || (isOsdpStatusCommand(type) && refusal === null);
  return isQuiet ? [] : [{ type: 'executed', command, refusal }];
};

const watched = (
  setup: OsdpPeripheralSetup,
  state: OsdpPeripheralState,
  command: OsdpCommand,
  reply: OsdpReply,
  now: MonotonicTime,
): OsdpPeripheralStep => {
  const healthy = { ...state, failures: 0 };
  if (reply.type === 'nak') {
    // Any other reason may be temporary.
    const isUnknown = reply.reason === NAK.unknown_command;
    const answers = isUnknown ? state.answers.filter(question => question !== command.type) : state.answers;
    return { state: { ...healthy, answers }, effects: [answered, ...executed(command, reply.reason)] };
  }
  const effects: readonly OsdpPeripheralEffect[] = [answered, ...executed(command, null)];
  if (reply.type === 'ack') return { state: healthy, effects };
  // More replies may be queued in the reader.
  const due_at = monotonic(Math.min(state.due_at, addMilliseconds(now, OSDP_TURNAROUND_MS)));
  const reported: OsdpPeripheralStep = {
    state: { ...healthy, due_at },
    effects: [...effects, { type: 'reply', reply }],
  };
  if (reply.type !== 'lstatr') return reported;
  const { tampered } = reply;
  return setOsdpPeripheralFault({ ...reported.state, tampered }, tampered ? opened(setup) : null, reported.effects);
};

/** Why the session must restart; null if the reply is valid. */
const reasonToRestart = (reply: OsdpReply | null): string | null => {
  if (reply === null) return 'sends unexpected replies';
  if (reply.type !== 'nak') return null;
  if (reply.reason === NAK.sequence) return 'loses the sequence of commands';
  return reply.reason === NAK.security || reply.reason === NAK.encryption ? 'requires a secure channel' : null;
};

export const handleOsdpIdReply = (
  setup: OsdpPeripheralSetup,
  state: OsdpPeripheralState,
  reply: OsdpReply | null,
  now: MonotonicTime,
): OsdpPeripheralStep => {
  if (reply?.type === 'pdid') return beginOsdpSecureSession(setup, { ...state, identity: reply.identity }, now);
  // Some readers do not identify themselves before the channel is secure.
  if (reply?.type === 'nak') return beginOsdpSecureSession(setup, state, now);
  return recordOsdpSessionFailure(state, `${formatOsdpReaderName(setup)} does not identify itself`, now, [answered]);
};

/** Handles a reply that is authenticated, or unencrypted in `plain` mode. */
export const handleOsdpReply = (
  setup: OsdpPeripheralSetup,
  state: OsdpPeripheralState,
  { command }: OsdpInFlightCommand,
  reply: OsdpReply | null,
  now: MonotonicTime,
): OsdpPeripheralStep => {
  const reason = reasonToRestart(reply);
  if (reply === null || reason !== null)
    return recordOsdpSessionFailure(state, `${formatOsdpReaderName(setup)} ${reason}`, now, [answered]);
  switch (state.phase.name) {
    case 'hand_over_key':
      return handleOsdpKeySetReply(state, reply, setup, now);
    case 'discover':
      return online(setup, state, now);
    default:
      return watched(setup, state, command, reply, now);
  }
};
