import { after, type Monotonic } from '@lintel/access-core/monotonic';
import { encodePn532Command, NACK, type Pn532Frame } from './pn532-frame.ts';

/** The manual allows 15 ms; adapters between USB and serial collect bytes for as long again. */
const ACK_MS = 100;
const ATTEMPTS = 3;

export interface Pn532Command {
  readonly code: number;
  readonly parameters: Uint8Array;
  readonly answer_ms: number;
}

export interface Exchange {
  readonly command: Pn532Command;
  readonly awaits: 'ack' | 'answer';
  readonly attempt: number;
  readonly deadline: Monotonic;
}

export type ExchangeStep =
  | { readonly type: 'wait'; readonly state: Exchange; readonly send: Uint8Array | null }
  | { readonly type: 'done'; readonly data: Uint8Array }
  | { readonly type: 'failed'; readonly reason: 'silent' | 'noisy' | 'refused' };

type Wait = Extract<ExchangeStep, { type: 'wait' }>;

const sendCommand = (command: Pn532Command, attempt: number, now: Monotonic): Wait => ({
  type: 'wait',
  state: { command, awaits: 'ack', attempt, deadline: after(now, ACK_MS) },
  send: encodePn532Command(command.code, command.parameters),
});

/** One command: sent, acknowledged, answered; each again when the line has spoilt it. */
export const beginExchange = (command: Pn532Command, now: Monotonic): Wait => sendCommand(command, 1, now);

const again = (state: Exchange, reason: 'silent' | 'noisy', now: Monotonic): ExchangeStep =>
  state.attempt < ATTEMPTS ? sendCommand(state.command, state.attempt + 1, now) : { type: 'failed', reason };

/** A spoilt answer is asked for once more; the command itself has been carried out. */
const askForAnswer = (state: Exchange, now: Monotonic): ExchangeStep => {
  if (state.attempt >= ATTEMPTS) return { type: 'failed', reason: 'noisy' };
  const deadline = after(now, state.command.answer_ms);
  return { type: 'wait', state: { ...state, attempt: state.attempt + 1, deadline }, send: NACK };
};

export const exchangeHears = (state: Exchange, frame: Pn532Frame, now: Monotonic): ExchangeStep => {
  const unchanged: ExchangeStep = { type: 'wait', state, send: null };
  switch (frame.type) {
    case 'answer':
      return frame.code === state.command.code + 1 ? { type: 'done', data: frame.data } : unchanged;
    case 'ack': {
      if (state.awaits === 'answer') return unchanged;
      const deadline = after(now, state.command.answer_ms);
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
export const exchangeTimer = (state: Exchange, now: Monotonic): ExchangeStep => again(state, 'silent', now);
