import { type Instant, instant } from '@lintel/access-core/instant';
import { type Monotonic, monotonic } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';

interface Alarm {
  readonly at: Monotonic;
  readonly ring: () => void;
}

/** The clock of one machine: with its power go all its alarms. */
export interface MachineClock extends MonotonicClock {
  halt(): void;
}

/** The one time of a scenario, for the bridge and all doors. It passes only when it is told to. */
export class ScenarioClock {
  /** In the order in which they were set. */
  readonly #alarms = new Set<Alarm>();
  readonly #began: Instant;
  #now = monotonic(0);

  constructor(began: Instant) {
    this.#began = began;
  }

  get instant(): Instant {
    return instant(this.#began + this.#now);
  }

  machine(): MachineClock {
    const own = new Set<Alarm>();
    const forget = (alarm: Alarm): void => {
      own.delete(alarm);
      this.#alarms.delete(alarm);
    };
    return {
      now: () => this.#now,
      wake: (at, ring) => {
        const alarm: Alarm = {
          at,
          ring: () => {
            own.delete(alarm);
            ring();
          },
        };
        own.add(alarm);
        this.#alarms.add(alarm);
        return () => forget(alarm);
      },
      halt: () => {
        for (const alarm of own) forget(alarm);
      },
    };
  }

  #next(): Alarm | null {
    let next: Alarm | null = null;
    for (const alarm of this.#alarms) if (next === null || alarm.at < next.at) next = alarm;
    return next;
  }

  /** What is due meanwhile rings late, as on a machine that was busy. */
  skipTo(at: Instant): void {
    this.#now = monotonic(Math.max(this.#now, at - this.#began));
  }

  /** Lets time pass up to the next alarm and rings it. False when none is due until `end`: then it is `end`. */
  ringNext(end: Instant): boolean {
    const until = monotonic(end - this.#began);
    const next = this.#next();
    if (next === null || next.at > until) {
      this.#now = monotonic(Math.max(this.#now, until));
      return false;
    }
    this.#alarms.delete(next);
    this.#now = monotonic(Math.max(this.#now, next.at));
    next.ring();
    return true;
  }
}
