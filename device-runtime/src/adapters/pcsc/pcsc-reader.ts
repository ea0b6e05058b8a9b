import type { CardReader } from '../../ports/card-reader.ts';
import type { MonotonicClock } from '../../ports/monotonic-clock.ts';
import type { FaultListener } from '../../ports/part-fault.ts';
import { PartHealth } from '../part-health/part-health.ts';
import { ContactlessTaps, type ContactlessTapsOptions } from '../taps/contactless-taps.ts';
import { PausedTime } from '../taps/paused-time.ts';

/** What a station has of the readers that are plugged in. */
export class PcscReader extends ContactlessTaps implements CardReader {
  readonly name: string | null;
  readonly health = new PartHealth();
  readonly #time: PausedTime;

  constructor(name: string | null, options: Omit<ContactlessTapsOptions, 'time'>, clock: MonotonicClock) {
    const time = new PausedTime(clock);
    super({ ...options, time });
    this.name = name;
    this.#time = time;
  }

  onFault(listener: FaultListener): void {
    this.health.onFault(listener);
  }

  /** Nobody knows what lies on a reader that is away: a card that lay there before and after has not been taken off. */
  seesNothing(): void {
    this.#time.pause();
  }

  sees(): void {
    this.#time.resume();
  }
}
