import { type Instant, instant } from '@lintel/access-core/instant';
import type { MonotonicClock } from '../../ports/monotonic-clock.ts';
import { type StateStore, StateStoreFailure } from '../../ports/state-store.ts';
import type { TimeLook, TimeSource, WallClock } from '../../ports/wall-clock.ts';
import type { SystemTime } from './system-time.ts';
import { startTime, takeBridgeTime, takeReading, timeNow, type TimeState } from './time-trust.ts';

/** Cards of a Pi wear out: the floor is written so often, and when the bridge has told the time. */
const SAVE_EVERY_MS = 300_000;

export interface KeptTimeParts {
  readonly state: StateStore;
  readonly monotonic: MonotonicClock;
  readonly system: SystemTime;
  /** The board has a clock with a battery. */
  readonly hasRtc: boolean;
  /** No time before it is believed: that of the firmware. */
  readonly earliest: Instant;
}

const savedFloor = (state: StateStore): Instant | null => {
  const floor = state.read('time_floor');
  return Number.isSafeInteger(floor) ? instant(floor as number) : null;
};

/** The time of day on a board without a battery clock: a floor on disk, and trust that has to be earned. */
export class KeptTime implements WallClock {
  readonly #parts: KeptTimeParts;
  #time: TimeState;
  #saved: Instant | null;

  constructor(parts: KeptTimeParts) {
    this.#parts = parts;
    this.#saved = savedFloor(parts.state);
    this.#time = startTime(this.#saved, parts.earliest, parts.monotonic.now());
  }

  now(): Instant {
    return timeNow(this.#time, this.#parts.monotonic.now());
  }

  trusted(): boolean {
    return this.#time.trusted;
  }

  source(): TimeSource {
    return this.#time.source;
  }

  setByBridge(time: Instant): void {
    this.#time = takeBridgeTime(time, this.#parts.monotonic.now());
    this.save();
  }

  look(): TimeLook {
    const { system, hasRtc, monotonic } = this.#parts;
    const source = system.isSynchronized() ? 'ntp' : hasRtc ? 'rtc' : null;
    const taken = source === null ? this.#time : takeReading(this.#time, source, system.now(), monotonic.now());
    this.#time = taken ?? this.#time;
    const isDue = this.#saved === null || this.now() - this.#saved >= SAVE_EVERY_MS;
    if (isDue && !this.save()) return 'unsaved';
    return taken === null ? 'refused' : 'fine';
  }

  /** False when it could not be written; the next look tries again. */
  save(): boolean {
    if (this.#time.isUnset) return true;
    const now = this.now();
    try {
      this.#parts.state.write('time_floor', now);
      this.#saved = now;
      return true;
    } catch (error) {
      if (!(error instanceof StateStoreFailure)) throw error;
      this.#saved = null;
      return false;
    }
  }
}
