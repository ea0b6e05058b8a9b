import { after, type Monotonic } from '@lintel/access-core/monotonic';
import { type Command, encodeCommand } from './commands.ts';
import { encodePacket, SECURITY } from './packet.ts';
import type { PeripheralSetup, PeripheralState, PeripheralStep, Phase, StatusQuestion } from './peripheral-model.ts';
import { sealCommand } from './secure-session.ts';

/** Levels are read again this often: a report of a change may have been lost. */
const ASK_AGAIN_MS = 2_000;

const neverSealed = (): never => {
  throw new Error('a command in the clear has no MAC');
};

/** What the security block of the handshake says: by which of the two keys. */
const securityBlock = (phase: Phase): { readonly type: number; readonly data: Uint8Array } | null => {
  if (phase.name !== 'challenge' && phase.name !== 'prove') return null;
  const type = phase.name === 'challenge' ? SECURITY.challenge : SECURITY.panel_cryptogram;
  return { type, data: Uint8Array.of(phase.base.installation ? 0 : 1) };
};

export const transmit = (
  { address, crc, aes }: PeripheralSetup,
  state: PeripheralState,
  command: Command,
  now: Monotonic,
): PeripheralStep => {
  const { sequence, session } = state;
  const plain = { address, crc, sequence, ...encodeCommand(command) };
  const sealed =
    session === null
      ? {
          bytes: encodePacket({ ...plain, from_peripheral: false, security: securityBlock(state.phase) }, neverSealed),
          session,
        }
      : sealCommand(aes, session, plain);
  const in_flight = { command, sequence, bytes: sealed.bytes, tries: 1, has_heard_damage: false, sent_at: now };
  return {
    state: { ...state, session: sealed.session, in_flight },
    effects: [{ type: 'send', bytes: sealed.bytes }],
  };
};

interface Choice {
  readonly state: PeripheralState;
  readonly command: Command;
}

const watching = (state: PeripheralState, now: Monotonic): Choice => {
  const [queued, ...queue] = state.queue;
  if (queued !== undefined) return { state: { ...state, queue }, command: queued };
  const due: readonly StatusQuestion[] = now >= state.ask_at ? state.answers : state.questions;
  const ask_at = now >= state.ask_at ? after(now, ASK_AGAIN_MS) : state.ask_at;
  const [question, ...questions] = due;
  return { state: { ...state, questions, ask_at }, command: { type: question ?? 'poll' } };
};

/** What there is to say when the bus is free. */
export const nextCommand = (state: PeripheralState, now: Monotonic): Choice => {
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
