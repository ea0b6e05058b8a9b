import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { SerialLine } from '../serial-line/serial-line-interface.ts';
import type { CardReadingCounter } from '../taps/card-reading-counter.ts';
import type { TransmitApdu } from '../taps/nfc-phone.ts';
import { encodePn532Command, PN532_NACK, type Pn532Frame, Pn532FrameStream } from './frame.ts';

/** The manual allows 15 ms; USB serial adapters buffer for as long again. */
const ACK_MS = 100;
const ATTEMPTS = 3;

interface Pn532Command {
  readonly code: number;
  readonly parameters: Uint8Array;
  readonly timeout_ms: number;
  /** The only valid response, if it is known. */
  readonly expected?: Uint8Array;
}

interface Pn532ExchangeState {
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

/** The chip is absent, refuses the command, or the line is too noisy. */
export class Pn532Error extends Error {
  override readonly name = 'Pn532Error';
}

type Done = Extract<Pn532ExchangeStep, { type: 'done' }>;

interface Running {
  state: Pn532ExchangeState;
  readonly done: (step: Done) => void;
  readonly failed: (error: Pn532Error) => void;
}

const DIAGNOSE = 0x00;
/** The chip returns the parameters. */
const COMMUNICATION_LINE_TEST = 0x00;
const LINE_TEST_MS = 300;

/** Sends commands to a PN532, one at a time. */
export class Pn532Chip {
  readonly #line: SerialLine;
  readonly #clock: MonotonicClock;
  readonly #signal: CardReadingCounter;
  readonly #frames = new Pn532FrameStream();
  #running: Running | null = null;
  /** Counts as absent if it never responded, or not during a whole exchange. */
  #isThere = false;
  #mayHaveLateResponses = false;
  #lineTests = 0;
  #cancel: () => void = () => undefined;

  constructor(line: SerialLine, clock: MonotonicClock, signal: CardReadingCounter) {
    this.#line = line;
    this.#clock = clock;
    this.#signal = signal;
    line.onBytes(bytes => this.#take(bytes));
  }

  /** Sends bytes without a response, such as those that wake the chip. */
  async write(bytes: Uint8Array): Promise<void> {
    try {
      await this.#line.write(bytes);
    } catch (error) {
      throw new Pn532Error((error as Error).message, { cause: error });
    }
  }

  /** Returns the response without its code. Throws Pn532Error. One command at a time. */
  async command(command: Pn532Command): Promise<Uint8Array> {
    if (this.#mayHaveLateResponses) await this.#skipLateResponses();
    const { data, isRepeated } = await this.#exchange(command);
    this.#mayHaveLateResponses = isRepeated;
    return data;
  }

  /**
   * The chip responds in order: what arrives before the response to this test belongs to earlier commands. Without it, the
   * second response to a repeated command would count as the response to the next command of its kind.
   */
  async #skipLateResponses(): Promise<void> {
    this.#mayHaveLateResponses = false;
    this.#lineTests = (this.#lineTests + 1) & 0xff;
    const parameters = Uint8Array.of(COMMUNICATION_LINE_TEST, this.#lineTests);
    try {
      await this.#exchange({ code: DIAGNOSE, parameters, timeout_ms: LINE_TEST_MS, expected: parameters });
    } catch (error) {
      // The next command shows whether the chip responds.
      if (!(error instanceof Pn532Error)) throw error;
    }
  }

  #exchange(command: Pn532Command): Promise<Done> {
    return new Promise((done, failed) => {
      const begin = beginPn532Exchange(command, this.#clock.now());
      this.#running = { state: begin.state, done, failed };
      this.#follow(begin);
    });
  }

  #take(bytes: Uint8Array): void {
    for (const frame of this.#frames.take(bytes)) {
      if (this.#running === null) return;
      this.#note(frame);
      this.#follow(receivePn532Frame(this.#running.state, frame, this.#clock.now()));
    }
  }

  #note({ type }: Pn532Frame): void {
    this.#isThere = true;
    if (type === 'broken') this.#signal.recordError('damaged');
    else if (type === 'nack' || type === 'error') this.#signal.recordError('refused');
  }

  #silent(state: Pn532ExchangeState): void {
    if (this.#isThere) this.#signal.recordError('silent');
    const step = expirePn532Exchange(state, this.#clock.now());
    if (step.type === 'failed') this.#isThere = false;
    this.#follow(step);
  }

  #follow(step: Pn532ExchangeStep): void {
    this.#cancel();
    const running = this.#running;
    if (running === null) return;
    if (step.type === 'done') {
      this.#signal.recordSuccess();
      return this.#end(() => running.done(step));
    }
    if (step.type === 'failed') return this.#end(() => running.failed(new Pn532Error(`The chip is ${step.reason}`)));
    running.state = step.state;
    this.#cancel = this.#clock.wake(step.state.deadline, () => this.#silent(step.state));
    if (step.send !== null) this.#send(step.send, running);
  }

  #send(bytes: Uint8Array, running: Running): void {
    this.#frames.forget();
    this.write(bytes).catch((error: Pn532Error) => {
      if (this.#running === running) this.#end(() => running.failed(error));
    });
  }

  #end(tell: () => void): void {
    this.#cancel();
    this.#running = null;
    tell();
  }
}

/** The card or phone has left or does not respond anymore. */
export class Pn532TargetLostError extends Error {
  override readonly name = 'Pn532TargetLostError';
}

const SHORT_MS = 300;
/** A phone may be slow; its time limit is checked elsewhere. */
const EXCHANGE_MS = 1_500;

/** User manual, 7.2.11: the chip wakes with the first edge and needs some time, so the host sends idle bytes. */
const WAKE = Uint8Array.of(0x55, 0x55, ...new Uint8Array(14));

const PN532 = 0x32;

/** Wakes the chip and sets it up as a reader. Throws Pn532Error. */
export const setUpPn532 = async (chip: Pn532Chip): Promise<void> => {
  await chip.write(WAKE);
  // SAMConfiguration: normal mode, no secure module.
  await chip.command({ code: 0x14, parameters: Uint8Array.of(0x01, 0x00, 0x00), timeout_ms: SHORT_MS });
  const [kind] = await chip.command({ code: 0x02, parameters: new Uint8Array(), timeout_ms: SHORT_MS });
  if (kind !== PN532) throw new Pn532Error('The chip is not a PN532');
  // RFConfiguration, retries: a search for cards returns after a few attempts instead of waiting.
  await chip.command({ code: 0x32, parameters: Uint8Array.of(0x05, 0xff, 0x01, 0x02), timeout_ms: SHORT_MS });
};

interface Pn532Target {
  readonly number: number;
  readonly uid: Uint8Array;
  /** ISO 14443-4: supports APDUs. */
  readonly speaksApdus: boolean;
}

/** Parses the response to InListPassiveTarget for type A at 106 kbit/s; null without a valid target. */
export const parsePn532Target = (data: Uint8Array): Pn532Target | null => {
  const [count, number, , , selected, length] = data;
  if (count === undefined || count < 1 || number === undefined || selected === undefined || length === undefined)
    return null;
  const uid = data.slice(6, 6 + length);
  return uid.length === length ? { number, uid, speaksApdus: (selected & 0x20) !== 0 } : null;
};

export const findPn532Target = async (chip: Pn532Chip): Promise<Pn532Target | null> =>
  parsePn532Target(await chip.command({ code: 0x4a, parameters: Uint8Array.of(0x01, 0x00), timeout_ms: SHORT_MS }));

/** Releases the target, so that the next search finds it again if it is still present. */
export const releasePn532Target = async (chip: Pn532Chip, { number }: Pn532Target): Promise<void> => {
  await chip.command({ code: 0x52, parameters: Uint8Array.of(number), timeout_ms: SHORT_MS });
};

/** InDataExchange: the low six bits of the first byte are the status. */
export const createPn532TargetTransmitter =
  (chip: Pn532Chip, { number }: Pn532Target): TransmitApdu =>
  async apdu => {
    const answer = await chip.command({
      code: 0x40,
      parameters: Uint8Array.of(number, ...apdu),
      timeout_ms: EXCHANGE_MS,
    });
    const [status] = answer;
    if (status === undefined || (status & 0x3f) !== 0) throw new Pn532TargetLostError(`status ${status}`);
    return answer.slice(1);
  };
