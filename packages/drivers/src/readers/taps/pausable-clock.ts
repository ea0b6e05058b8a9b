import { type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';

type Now = Pick<MonotonicClock, 'now'>;

/** Clock for a reader that reports changes: stops while the reader cannot report. */
export class PausableClock implements Now {
  readonly #clock: Now;
  #pausedAt: MonotonicTime | null = null;
  #missed_ms = 0;

  constructor(clock: Now) {
    this.#clock = clock;
  }

  now(): MonotonicTime {
    return monotonic((this.#pausedAt ?? this.#clock.now()) - this.#missed_ms);
  }

  pause(): void {
    this.#pausedAt ??= this.#clock.now();
  }

  resume(): void {
    if (this.#pausedAt === null) return;
    this.#missed_ms += this.#clock.now() - this.#pausedAt;
    this.#pausedAt = null;
  }
}
