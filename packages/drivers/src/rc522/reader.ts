import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { Log } from '@lintel/service/log-function-type';
import type { SpiDevice } from '@lintel/service/linux/spi';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { CardReaderBase } from '../base/card-reader-base.ts';
import type { ReaderSignalQuality } from '../interfaces/reader-signal-quality.ts';
import { CardReadAttempts } from '../taps/card-reading-counter.ts';
import { ContactlessCardReaderBase, PollDrivenClock } from '../taps/contactless-card-reader-base.ts';
import { findRc522Card, Rc522Chip } from './chip.ts';

export interface Rc522ReaderOptions {
  /** Throws while the port is missing. */
  open(): SpiDevice;
  readonly clock: MonotonicClock;
  readonly log: Log;
}

const GONE_AFTER_MS = 300;
const LOOK_MS = 50;
/** Twice the usual interval between polls. */
const MOST_PER_LOOK_MS = 100;
const RETRY_MS = 500;

/** An RC522 on SPI, polled for cards continuously. Phones are not supported. */
export class Rc522Reader extends CardReaderBase {
  readonly #options: Rc522ReaderOptions;
  readonly #taps: ContactlessCardReaderBase;
  readonly #time: PollDrivenClock;
  readonly #visits: CardReadAttempts;
  #chip: Rc522Chip | null = null;
  #hasLooked = false;
  #isClosed = false;
  readonly #ended: Promise<void>;

  constructor(options: Rc522ReaderOptions) {
    super();
    this.#options = options;
    const time = new PollDrivenClock(MOST_PER_LOOK_MS);
    this.#time = time;
    const visits = new CardReadAttempts(options.clock);
    this.#visits = visits;
    this.#taps = new ContactlessCardReaderBase({
      time,
      visits,
      log: options.log,
      phones: null,
      goneAfterMs: GONE_AFTER_MS,
    });
    this.#taps.onCard(uid => this.tapped(uid));
    this.#ended = this.#run();
  }

  signal(): ReaderSignalQuality {
    return { link: 'pins', line: null, cards: this.#visits.readings() };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      try {
        const chip = new Rc522Chip(this.#options.open(), () => this.#pause(1));
        this.#chip = chip;
        await chip.setUp();
        this.health.clear();
        while (!this.#isClosed && chip.isSetUp()) {
          await this.#look(chip);
          await this.#pause(LOOK_MS);
        }
      } catch (error) {
        if (!this.#isClosed) this.health.fail('absent', `The RC522 does not respond: ${(error as Error).message}`);
        await this.#pause(RETRY_MS);
      }
      this.#chip?.close();
      this.#chip = null;
    }
  }

  async #look(chip: Rc522Chip): Promise<void> {
    const found = await findRc522Card(chip);
    this.#time.answered(this.#options.clock.now());
    const isFirst = !this.#hasLooked;
    this.#hasLooked = true;
    if (found.type === 'unread') this.#taps.notRead('lost');
    if (found.type !== 'card') return;
    if (isFirst) this.#taps.lay(found.uid);
    await this.#taps.found({ uid: found.uid, transmit: null });
  }

  #pause(milliseconds: number): Promise<void> {
    const { clock } = this.#options;
    return new Promise(resolve => void clock.wake(addMilliseconds(clock.now(), milliseconds), resolve));
  }
}
