import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { CardReadingCounter } from '../signal/card-reading-counter.ts';
import type { SerialLine } from '../../serial-line/serial-line-interface.ts';
import {
  beginPn532Exchange,
  type Pn532ExchangeState,
  receivePn532Frame,
  type Pn532ExchangeStep,
  expirePn532Exchange,
  type Pn532Command,
} from './pn532-exchange.ts';
import { type Pn532Frame, Pn532FrameStream } from './pn532-frame.ts';

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
