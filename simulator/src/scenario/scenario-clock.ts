import { type Instant, instant } from '@lintel/access-core/instant';
import { type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';

interface Alarm {
  readonly at: MonotonicTime;
  readonly fire: () => void;
}

/** The clock of one machine. `halt` removes its alarms, as a power cut does. */
export interface ScenarioMachineClock extends MonotonicClock {
  halt(): void;
}

/** The clock of a scenario, shared by the bridge and all controllers. It advances only on request. */
export class ScenarioClock {
  /** In the order of creation. */
  readonly #alarms = new Set<Alarm>();
  readonly #start: Instant;
  #now = monotonic(0);

  constructor(start: Instant) {
    this.#start = start;
  }

  get instant(): Instant {
    return instant(this.#start + this.#now);
  }

  machine(): ScenarioMachineClock {
    const own = new Set<Alarm>();
    const remove = (alarm: Alarm): void => {
      own.delete(alarm);
      this.#alarms.delete(alarm);
    };
    return {
      now: () => this.#now,
      wake: (at, fire) => {
        const alarm: Alarm = {
          at,
          fire: () => {
            own.delete(alarm);
            fire();
          },
        };
        own.add(alarm);
        this.#alarms.add(alarm);
        return () => remove(alarm);
      },
      halt: () => {
        for (const alarm of own) remove(alarm);
      },
    };
  }

  #next(): Alarm | null {
    let next: Alarm | null = null;
    for (const alarm of this.#alarms) if (next === null || alarm.at < next.at) next = alarm;
    return next;
  }

  /** Jumps to the time without firing alarms. Skipped alarms fire late, as on a busy machine. */
  skipTo(at: Instant): void {
    this.#now = monotonic(Math.max(this.#now, at - this.#start));
  }

  /** Advances to the next alarm and fires it. Without an alarm until `end`, advances to `end` and returns false. */
  fireNextAlarm(end: Instant): boolean {
    const until = monotonic(end - this.#start);
    const next = this.#next();
    if (next === null || next.at > until) {
      this.#now = monotonic(Math.max(this.#now, until));
      return false;
    }
    this.#alarms.delete(next);
    this.#now = monotonic(Math.max(this.#now, next.at));
    next.fire();
    return true;
  }
}
