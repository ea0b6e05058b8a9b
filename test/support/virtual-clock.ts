import { addMilliseconds, type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';

interface Alarm {
  readonly at: MonotonicTime;
  readonly ring: () => void;
}

/** A clock that a test advances. */
export class VirtualClock implements MonotonicClock {
  readonly #alarms = new Set<Alarm>();
  #now = monotonic(1_000);

  now(): MonotonicTime {
    return this.#now;
  }

  wake(at: MonotonicTime, ring: () => void): () => void {
    const alarm: Alarm = { at, ring };
    this.#alarms.add(alarm);
    return () => {
      this.#alarms.delete(alarm);
    };
  }

  /** Fires due alarms in order of time, including those set by other alarms. */
  advance(milliseconds: number): void {
    const end = addMilliseconds(this.#now, milliseconds);
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#alarms.delete(next);
      this.#now = monotonic(Math.max(this.#now, next.at));
      next.ring();
    }
    this.#now = end;
  }

  #next(end: MonotonicTime): Alarm | undefined {
    return [...this.#alarms].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }
}
