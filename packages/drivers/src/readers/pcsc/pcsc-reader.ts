import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { ReaderSignal } from '../../ports/reader-signal.ts';
import { CardReadings } from '../signal/card-readings.ts';
import { ContactlessTaps, type ContactlessTapsOptions } from '../taps/contactless-taps.ts';
import { PausedTime } from '../taps/paused-time.ts';

/** What a station has of the readers that are plugged in. */
export class PcscReader extends ContactlessTaps {
  readonly name: string | null;
  readonly #time: PausedTime;
  readonly #visits: CardReadings;

  constructor(name: string | null, options: Omit<ContactlessTapsOptions, 'time' | 'visits'>, clock: MonotonicClock) {
    const time = new PausedTime(clock);
    const visits = new CardReadings(clock);
    super({ ...options, time, visits });
    this.#visits = visits;
    this.name = name;
    this.#time = time;
  }

  /** What happens on the USB side is between the service and the reader. */
  signal(): ReaderSignal {
    return { link: 'usb', line: null, cards: this.#visits.readings() };
  }

  /** Nobody knows what lies on a reader that is away: a card that lay there before and after has not been taken off. */
  seesNothing(): void {
    this.#time.pause();
  }

  sees(): void {
    this.#time.resume();
  }
}
