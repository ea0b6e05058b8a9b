import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { SignalRecord } from '../signal/signal-record.ts';
import type { SerialLine } from '../../serial-line/serial-line-port.ts';
import {
  beginExchange,
  type Exchange,
  exchangeHears,
  type ExchangeStep,
  exchangeTimer,
  type Pn532Command,
} from './pn532-exchange.ts';
import { type Pn532Frame, Pn532FrameStream } from './pn532-frame.ts';

/** The chip is not there, does not understand, or the line spoils everything. */
export class Pn532Error extends Error {
  override readonly name = 'Pn532Error';
}

interface Running {
  state: Exchange;
  readonly done: (data: Uint8Array) => void;
  readonly failed: (error: Pn532Error) => void;
}

/** Commands to a PN532, one after the other. */
export class Pn532Chip {
  readonly #line: SerialLine;
  readonly #clock: MonotonicClock;
  readonly #signal: SignalRecord;
  readonly #frames = new Pn532FrameStream();
  #running: Running | null = null;
  /** Its silence counts: a chip that has never spoken, or not for a whole exchange, is not there. */
  #isThere = false;
  #cancel: () => void = () => undefined;

  constructor(line: SerialLine, clock: MonotonicClock, signal: SignalRecord) {
    this.#line = line;
    this.#clock = clock;
    this.#signal = signal;
    line.onBytes(bytes => this.#take(bytes));
  }

  /** Bytes without an answer, as those that wake the chip. */
  async write(bytes: Uint8Array): Promise<void> {
    try {
      await this.#line.write(bytes);
    } catch (error) {
      throw new Pn532Error((error as Error).message, { cause: error });
    }
  }

  /** What follows the code of the answer. Throws Pn532Error. One command at a time. */
  command(command: Pn532Command): Promise<Uint8Array> {
    return new Promise((done, failed) => {
      const begin = beginExchange(command, this.#clock.now());
      this.#running = { state: begin.state, done, failed };
      this.#follow(begin);
    });
  }

  #take(bytes: Uint8Array): void {
    for (const frame of this.#frames.take(bytes)) {
      if (this.#running === null) return;
      this.#note(frame);
      this.#follow(exchangeHears(this.#running.state, frame, this.#clock.now()));
    }
  }

  #note({ type }: Pn532Frame): void {
    this.#isThere = true;
    if (type === 'broken') this.#signal.broken('damaged');
    else if (type === 'nack' || type === 'error') this.#signal.broken('refused');
  }

  #silent(state: Exchange): void {
    if (this.#isThere) this.#signal.broken('silent');
    const step = exchangeTimer(state, this.#clock.now());
    if (step.type === 'failed') this.#isThere = false;
    this.#follow(step);
  }

  #follow(step: ExchangeStep): void {
    this.#cancel();
    const running = this.#running;
    if (running === null) return;
    if (step.type === 'done') {
      this.#signal.clean();
      return this.#end(() => running.done(step.data));
    }
    if (step.type === 'failed') return this.#end(() => running.failed(new Pn532Error(`the chip is ${step.reason}`)));
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
