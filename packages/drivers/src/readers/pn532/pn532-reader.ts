import { after } from '@lintel/access-core/monotonic';
import type { Log } from '@lintel/service/log';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { PartFault } from '../../ports/part-fault.ts';
import type { ReaderSignal } from '../../ports/reader-signal.ts';
import type { PhoneCheck } from '../phone/phone-check.ts';
import { CardReadings } from '../signal/card-readings.ts';
import { SignalRecord } from '../signal/signal-record.ts';
import type { SerialLine } from '../../serial-line/serial-line-port.ts';
import { ContactlessTaps } from '../taps/contactless-taps.ts';
import { PollTime } from '../taps/poll-time.ts';
import { Pn532Chip, Pn532Error } from './pn532-chip.ts';
import { listTarget, releaseTarget, setUpChip, TargetLostError, transmitTo } from './pn532-commands.ts';

export interface Pn532ReaderOptions {
  /** 115,200 baud, 8N1. */
  readonly line: SerialLine;
  readonly clock: MonotonicClock;
  readonly log: Log;
  /** Null where phones are not asked for. */
  readonly phones: PhoneCheck | null;
  /** How long a card must be away before it is a new tap. */
  readonly goneAfterMs?: number;
}

const GONE_AFTER_MS = 300;
const LOOK_MS = 50;
/** Twice what it usually takes from one look to the next; a lost answer takes longer. */
const MOST_PER_LOOK_MS = 100;
const RETRY_MS = 500;

/** A PN532 on a serial line, asked for cards all the time. */
export class Pn532Reader extends ContactlessTaps {
  readonly #line: SerialLine;
  readonly #clock: MonotonicClock;
  readonly #time: PollTime;
  readonly #chip: Pn532Chip;
  readonly #lineSignal: SignalRecord;
  readonly #visits: CardReadings;
  #lineFault: PartFault | null = null;
  #isClosed = false;

  constructor({ line, clock, log, phones, goneAfterMs = GONE_AFTER_MS }: Pn532ReaderOptions) {
    const time = new PollTime(MOST_PER_LOOK_MS);
    const visits = new CardReadings(clock);
    super({ time, visits, log, phones, goneAfterMs });
    this.#visits = visits;
    this.#lineSignal = new SignalRecord(clock);
    this.#time = time;
    this.#line = line;
    this.#clock = clock;
    this.#chip = new Pn532Chip(line, clock, this.#lineSignal);
    line.onFault(fault => {
      this.#lineFault = fault;
      if (fault !== null) this.health.fail(fault.kind, fault.message);
    });
    void this.#run();
  }

  signal(): ReaderSignal {
    return { link: 'serial', line: this.#lineSignal.readings(), cards: this.#visits.readings() };
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await setUpChip(this.#chip);
        this.health.heal();
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
    const target = await listTarget(this.#chip);
    this.#time.answered(this.#clock.now());
    if (target === null) return;
    try {
      await this.found({ uid: target.uid, transmit: target.speaksApdus ? transmitTo(this.#chip, target) : null });
    } catch (error) {
      if (!(error instanceof TargetLostError)) throw error;
      this.notRead('lost');
    }
    await releaseTarget(this.#chip, target);
  }

  #failed(error: unknown): void {
    if (this.#isClosed || this.#lineFault !== null) return;
    if (error instanceof Pn532Error) this.health.fail('absent', `no PN532 answers: ${error.message}`);
    else this.health.fail('broken', `the reader could not go on: ${String(error)}`);
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise(resolve => this.#clock.wake(after(this.#clock.now(), milliseconds), resolve));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#line.close();
  }
}
