import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import { type OsdpCommand, encodeOsdpCommand } from './encode-osdp-command.ts';
import { encodeOsdpPacket, OSDP_SECURITY_BLOCK_TYPES } from './packet.ts';
import type {
  OsdpPeripheralSetup,
  OsdpPeripheralState,
  OsdpPeripheralStep,
  OsdpPeripheralPhase,
  OsdpStatusCommand,
} from './peripheral-state-types.ts';
import { sealOsdpCommand } from './secure-session.ts';

/** Refresh interval of input levels, because a change report may be lost. */
const ASK_AGAIN_MS = 2_000;

const neverSealed = (): never => {
  throw new Error('a command in the clear has no MAC');
};

/** The key selector in the security block of the handshake. */
const securityBlock = (phase: OsdpPeripheralPhase): { readonly type: number; readonly data: Uint8Array } | null => {
  if (phase.name !== 'challenge' && phase.name !== 'prove') return null;
  const type =
    phase.name === 'challenge' ? OSDP_SECURITY_BLOCK_TYPES.challenge : OSDP_SECURITY_BLOCK_TYPES.panel_cryptogram;
  return { type, data: Uint8Array.of(phase.base.installation ? 0 : 1) };
};

export const prepareOsdpTransmission = (
  { address, crc, aes }: OsdpPeripheralSetup,
  state: OsdpPeripheralState,
  command: OsdpCommand,
  now: MonotonicTime,
): OsdpPeripheralStep => {
  const { sequence, session } = state;
  const plain = { address, crc, sequence, ...encodeOsdpCommand(command) };
  const sealed =
    session === null
      ? {
          bytes: encodeOsdpPacket(
            { ...plain, from_peripheral: false, security: securityBlock(state.phase) },
            neverSealed,
          ),
          session,
        }
      : sealOsdpCommand(aes, session, plain);
  const in_flight = { command, sequence, bytes: sealed.bytes, tries: 1, has_heard_damage: false, sent_at: now };
  return {
    state: { ...state, session: sealed.session, in_flight },
    effects: [{ type: 'send', bytes: sealed.bytes }],
  };
};

interface Choice {
  readonly state: OsdpPeripheralState;
  readonly command: OsdpCommand;
}

const watching = (state: OsdpPeripheralState, now: MonotonicTime): Choice => {
  const [queued, ...queue] = state.queue;
  if (queued !== undefined) return { state: { ...state, queue }, command: queued };
  const due: readonly OsdpStatusCommand[] = now >= state.ask_at ? state.answers : state.questions;
  const ask_at = now >= state.ask_at ? addMilliseconds(now, ASK_AGAIN_MS) : state.ask_at;
  const [question, ...questions] = due;
  return { state: { ...state, questions, ask_at }, command: { type: question ?? 'poll' } };
};

/** The command to send when the bus is free. */
export const chooseNextOsdpCommand = (state: OsdpPeripheralState, now: MonotonicTime): Choice => {
  const { phase } = state;
  switch (phase.name) {
    case 'greet':
      return { state, command: { type: 'id' } };
    case 'challenge':
      return { state, command: { type: 'chlng', random: phase.random } };
    case 'prove':
      return { state, command: { type: 'scrypt', cryptogram: phase.cryptogram } };
    case 'hand_over_key':
      return { state, command: { type: 'keyset', key: phase.key } };
    case 'discover':
      return { state, command: { type: 'cap' } };
    case 'watch':
      return watching(state, now);
  }
};
