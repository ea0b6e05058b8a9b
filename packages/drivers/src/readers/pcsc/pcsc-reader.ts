import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { ReaderSignal } from '../../ports/reader-signal.ts';
import { CardReadStatistics } from '../signal/card-read-statistics.ts';
import { ContactlessTaps, type ContactlessTapsOptions } from '../taps/contactless-taps.ts';
import { PausableClock } from '../taps/pausable-clock.ts';

/** The card reader of a reader unit, served by the plugged-in PC/SC readers. */
export class PcscReader extends ContactlessTaps {
  readonly name: string | null;
  readonly #time: PausableClock;
  readonly #visits: CardReadStatistics;

  constructor(name: string | null, options: Omit<ContactlessTapsOptions, 'time' | 'visits'>, clock: MonotonicClock) {
    const time = new PausableClock(clock);
    const visits = new CardReadStatistics(clock);
    super({ ...options, time, visits });
    this.#visits = visits;
    this.name = name;
    this.#time = time;
  }

  /** The service does not report the quality of the USB link. */
  signal(): ReaderSignal {
    return { link: 'usb', line: null, cards: this.#visits.readings() };
  }

  /** The state of an absent reader is unknown: a card present before and after was not removed. */
  seesNothing(): void {
    this.#time.pause();
  }

  sees(): void {
    this.#time.resume();
  }
}
