import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import { encodePn532Command, PN532_NACK, type Pn532Frame } from './pn532-frame.ts';

/** The manual allows 15 ms; USB serial adapters buffer for as long again. */
const ACK_MS = 100;
const ATTEMPTS = 3;

export interface Pn532Command {
  readonly code: number;
  readonly parameters: Uint8Array;
  readonly timeout_ms: number;
  /** The only valid response, if it is known. */
  readonly expected?: Uint8Array;
}

export interface Pn532ExchangeState {
  readonly command: Pn532Command;
  readonly awaits: 'ack' | 'answer';
  readonly attempt: number;
  readonly deadline: MonotonicTime;
}

export type Pn532ExchangeStep =
  | { readonly type: 'wait'; readonly state: Pn532ExchangeState; readonly send: Uint8Array | null }
  /** After a repetition the chip may have executed the command twice, and may send another response. */
  | { readonly type: 'done'; readonly data: Uint8Array; readonly isRepeated: boolean }
  | { readonly type: 'failed'; readonly reason: 'silent' | 'noisy' | 'refused' };

type Wait = Extract<Pn532ExchangeStep, { type: 'wait' }>;

const sendCommand = (command: Pn532Command, attempt: number, now: MonotonicTime): Wait => ({
  type: 'wait',
  state: { command, awaits: 'ack', attempt, deadline: addMilliseconds(now, ACK_MS) },
  send: encodePn532Command(command.code, command.parameters),
});

/** One command: sent, acknowledged, responded; each step repeated if the line damaged it. */
export const beginPn532Exchange = (command: Pn532Command, now: MonotonicTime): Wait => sendCommand(command, 1, now);

const again = (state: Pn532ExchangeState, reason: 'silent' | 'noisy', now: MonotonicTime): Pn532ExchangeStep =>
  state.attempt < ATTEMPTS ? sendCommand(state.command, state.attempt + 1, now) : { type: 'failed', reason };

/** Requests a damaged response once more; the command itself has been executed. */
const askForAnswer = (state: Pn532ExchangeState, now: MonotonicTime): Pn532ExchangeStep => {
  if (state.attempt >= ATTEMPTS) return { type: 'failed', reason: 'noisy' };
  const deadline = addMilliseconds(now, state.command.timeout_ms);
  return { type: 'wait', state: { ...state, attempt: state.attempt + 1, deadline }, send: PN532_NACK };
};

const isResponseTo = ({ code, expected }: Pn532Command, frame: Extract<Pn532Frame, { type: 'answer' }>): boolean =>
  frame.code === code + 1 && (expected === undefined || Buffer.compare(frame.data, expected) === 0);

export const receivePn532Frame = (
  state: Pn532ExchangeState,
  frame: Pn532Frame,
  now: MonotonicTime,
): Pn532ExchangeStep => {
  const unchanged: Pn532ExchangeStep = { type: 'wait', state, send: null };
  switch (frame.type) {
    case 'answer':
      if (!isResponseTo(state.command, frame)) return unchanged;
      return { type: 'done', data: frame.data, isRepeated: state.attempt > 1 };
    case 'ack': {
      if (state.awaits === 'answer') return unchanged;
      const deadline = addMilliseconds(now, state.command.timeout_ms);
      return { type: 'wait', state: { ...state, awaits: 'answer', deadline }, send: null };
    }
    case 'error':
      return { type: 'failed', reason: 'refused' };
    case 'nack':
      return again(state, 'noisy', now);
    case 'broken':
      return state.awaits === 'answer' ? askForAnswer(state, now) : again(state, 'noisy', now);
  }
};

/** The deadline has passed. */
export const expirePn532Exchange = (state: Pn532ExchangeState, now: MonotonicTime): Pn532ExchangeStep =>
  again(state, 'silent', now);
