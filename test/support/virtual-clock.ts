import { after, type Monotonic, monotonic } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';

interface Alarm {
  readonly at: Monotonic;
  readonly ring: () => void;
}

/** Time that passes only when it is told to. */
export class VirtualClock implements MonotonicClock {
  readonly #alarms = new Set<Alarm>();
  #now = monotonic(1_000);

  now(): Monotonic {
    return this.#now;
  }

  wake(at: Monotonic, ring: () => void): () => void {
    const alarm: Alarm = { at, ring };
    this.#alarms.add(alarm);
    return () => {
      this.#alarms.delete(alarm);
    };
  }

  /** Every alarm rings at its own time, those that are set on the way too. */
  advance(milliseconds: number): void {
    const end = after(this.#now, milliseconds);
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#alarms.delete(next);
      this.#now = monotonic(Math.max(this.#now, next.at));
      next.ring();
    }
    this.#now = end;
  }

  #next(end: Monotonic): Alarm | undefined {
    return [...this.#alarms].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }
}
