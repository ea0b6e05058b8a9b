import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { PartFault } from '../interfaces/part-fault.ts';
import type { ReaderSignalQuality } from '../interfaces/reader-signal-quality.ts';
import type { NfcPhoneAuthenticator } from '../taps/nfc-phone.ts';
import { CardReadAttempts, CardReadingCounter } from '../taps/card-reading-counter.ts';
import type { SerialLine } from '../serial-line/serial-line-interface.ts';
import { ContactlessCardReaderBase, PollDrivenClock } from '../taps/contactless-card-reader-base.ts';
import {
  Pn532Chip,
  Pn532Error,
  findPn532Target,
  releasePn532Target,
  setUpPn532,
  Pn532TargetLostError,
  createPn532TargetTransmitter,
} from './chip.ts';

export interface Pn532ReaderOptions {
  /** A serial line with 115,200 baud, 8N1, or the same frames on I2C or SPI. */
  readonly line: SerialLine;
  readonly link?: 'serial' | 'pins';
  readonly clock: MonotonicClock;
  readonly log: Log;
  /** Null if phones are not supported. */
  readonly phones: NfcPhoneAuthenticator | null;
  /** How long a card must be away to count as a new tap. */
}

const GONE_AFTER_MS = 300;
const LOOK_MS = 50;
/** Twice the usual interval between polls; a lost response takes longer. */
const MOST_PER_LOOK_MS = 100;
const RETRY_MS = 500;

/** A PN532 on a serial line, polled for cards continuously. */
export class Pn532Reader extends ContactlessCardReaderBase {
  readonly #line: SerialLine;
  readonly #link: ReaderSignalQuality['link'];
  readonly #clock: MonotonicClock;
  readonly #time: PollDrivenClock;
  readonly #chip: Pn532Chip;
  readonly #lineSignal: CardReadingCounter;
  readonly #visits: CardReadAttempts;
  #lineFault: PartFault | null = null;
  #hasLooked = false;
  #isClosed = false;

  constructor({ line, link = 'serial', clock, log, phones }: Pn532ReaderOptions) {
    const time = new PollDrivenClock(MOST_PER_LOOK_MS);
    const visits = new CardReadAttempts(clock);
    super({ time, visits, log, phones, goneAfterMs: GONE_AFTER_MS });
    this.#visits = visits;
    this.#lineSignal = new CardReadingCounter(clock);
    this.#time = time;
    this.#line = line;
    this.#link = link;
    this.#clock = clock;
    this.#chip = new Pn532Chip(line, clock, this.#lineSignal);
    line.onFault(fault => {
      this.#lineFault = fault;
      if (fault !== null) this.health.fail(fault.kind, fault.message);
    });
    void this.#run();
  }

  signal(): ReaderSignalQuality {
    return { link: this.#link, line: this.#lineSignal.readings(), cards: this.#visits.readings() };
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await setUpPn532(this.#chip);
        this.health.clear();
        while (!this.#isClosed) {
          await this.#look();
          await this.#pause(LOOK_MS);
        }
      } catch (error) {
        this.#failed(error);
        await this.#pause(RETRY_MS);
      }
    }
  }

  async #look(): Promise<void> {
    const target = await findPn532Target(this.#chip);
    this.#time.answered(this.#clock.now());
    const isFirst = !this.#hasLooked;
    this.#hasLooked = true;
    if (target === null) return;
    if (isFirst) this.lay(target.uid);
    try {
      await this.found({
        uid: target.uid,
        transmit: target.speaksApdus ? createPn532TargetTransmitter(this.#chip, target) : null,
      });
    } catch (error) {
      if (!(error instanceof Pn532TargetLostError)) throw error;
      this.notRead('lost');
    }
    await releasePn532Target(this.#chip, target);
  }

  #failed(error: unknown): void {
    if (this.#isClosed || this.#lineFault !== null) return;
    if (error instanceof Pn532Error) this.health.fail('absent', `The PN532 does not respond: ${error.message}`);
    else this.health.fail('broken', `The reader failed: ${String(error)}`);
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise(resolve => this.#clock.wake(addMilliseconds(this.#clock.now(), milliseconds), resolve));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#line.close();
  }
}
