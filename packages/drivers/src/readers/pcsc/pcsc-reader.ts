import type { CardReader } from '../../ports/card-reader.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { FaultListener } from '../../ports/part-fault.ts';
import type { ReaderSignal } from '../../ports/reader-signal.ts';
import { PartHealth } from '../../part-health/part-health.ts';
import { CardVisits } from '../signal/card-visits.ts';
import { ContactlessTaps, type ContactlessTapsOptions } from '../taps/contactless-taps.ts';
import { PausedTime } from '../taps/paused-time.ts';

/** What a station has of the readers that are plugged in. */
export class PcscReader extends ContactlessTaps implements CardReader {
  readonly name: string | null;
  readonly health = new PartHealth();
  readonly #time: PausedTime;
  readonly #visits: CardVisits;

  constructor(name: string | null, options: Omit<ContactlessTapsOptions, 'time' | 'visits'>, clock: MonotonicClock) {
    const time = new PausedTime(clock);
    const visits = new CardVisits(clock);
    super({ ...options, time, visits });
    this.#visits = visits;
    this.name = name;
    this.#time = time;
  }

  onFault(listener: FaultListener): void {
    this.health.onFault(listener);
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
