import { type Monotonic, monotonic } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';

type Now = Pick<MonotonicClock, 'now'>;

/** For a reader that tells of every change: time stands still while nobody can tell. */
export class PausedTime implements Now {
  readonly #clock: Now;
  #pausedAt: Monotonic | null = null;
  #missed_ms = 0;

  constructor(clock: Now) {
    this.#clock = clock;
  }

  now(): Monotonic {
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
