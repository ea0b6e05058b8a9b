import { type Instant, instant } from '@lintel/access-core/instant';
import type { Monotonic } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import { StateStoreError } from '@lintel/service/data-folder/state-store';
import type { StateStore } from '../state/state-store.ts';
import type { TimeLook, TimeSource, WallClock } from './wall-clock.ts';
import type { SystemTime } from './system-time.ts';
import {
  SAVE_FLOOR_EVERY_MS,
  startTime,
  takeBridgeTime,
  takeReading,
  timeNow,
  type TimeState,
  TOLERANCE_MS,
} from './clock-trust.ts';

export interface TrustedClockParts {
  readonly state: StateStore;
  readonly monotonic: MonotonicClock;
  readonly system: SystemTime;
  /** The board has a clock with a battery. */
  readonly hasRtc: boolean;
  /** No time before it is believed: that of the firmware. */
  readonly earliest: Instant;
  /** When the newest event happened that an earlier run has written. */
  readonly lastWritten: Instant | null;
}

const saved = (state: StateStore, key: 'time_floor' | 'bridge_time'): Instant | null => {
  const time = state.read(key);
  return Number.isSafeInteger(time) ? instant(time as number) : null;
};

interface SignedTime {
  readonly time: Instant;
  readonly at: Monotonic;
}

/** The time of day on a board without a battery clock: a floor on disk, and trust that has to be earned. */
export class TrustedClock implements WallClock {
  readonly #parts: TrustedClockParts;
  #time: TimeState;
  #saved: Instant | null;
  /** What the bridge has told, in this run or an earlier one. */
  #signed: SignedTime | null;
  #wasRefused = false;
  #doubt: () => void = () => undefined;

  constructor(parts: TrustedClockParts) {
    this.#parts = parts;
    const at = parts.monotonic.now();
    this.#saved = saved(parts.state, 'time_floor');
    this.#time = startTime(this.#saved, parts.earliest, parts.lastWritten, at);
    const time = saved(parts.state, 'bridge_time');
    this.#signed = time === null ? null : { time, at };
  }

  now(): Instant {
    return timeNow(this.#time, this.#parts.monotonic.now());
  }

  /**
   * It is at least so late, and no clock but the bridge's has a say in it: certificates and tickets are checked against
   * this. By a time server that says 2099 every one of them would have expired, and the bridge could never put it right.
   */
  signedNow(): Instant {
    const { monotonic, earliest } = this.#parts;
    if (this.#signed === null) return earliest;
    const { time, at } = this.#signed;
    return instant(Math.max(earliest, time + Math.floor(monotonic.now() - at)));
  }

  trusted(): boolean {
    return this.#time.trusted;
  }

  source(): TimeSource {
    return this.#time.source;
  }

  setByBridge(time: Instant): void {
    const at = this.#parts.monotonic.now();
    this.#time = takeBridgeTime(this.#time, time, at);
    this.#signed = { time, at };
    this.save();
  }

  onDoubt(ring: () => void): void {
    this.#doubt = ring;
  }

  look(): TimeLook {
    const { system, hasRtc, monotonic } = this.#parts;
    const source = system.isSynchronized() ? 'ntp' : hasRtc ? 'rtc' : null;
    const before = this.now();
    const taken = source === null ? this.#time : takeReading(this.#time, source, system.now(), monotonic.now());
    this.#time = taken ?? this.#time;
    const isStepped = this.now() - before > TOLERANCE_MS;
    const isRefused = taken === null;
    if (isStepped || (isRefused && !this.#wasRefused)) this.#doubt();
    this.#wasRefused = isRefused;
    const isDue = this.#saved === null || this.now() - this.#saved >= SAVE_FLOOR_EVERY_MS;
    if (isDue && !this.save()) return 'unsaved';
    return isRefused ? 'refused' : 'fine';
  }

  /** False when it could not be written; the next look tries again. */
  save(): boolean {
    if (this.#time.isUnset) return true;
    const now = this.now();
    const { state } = this.#parts;
    try {
      state.write('time_floor', now);
      if (this.#signed !== null) state.write('bridge_time', this.signedNow());
      this.#saved = now;
      return true;
    } catch (error) {
      if (!(error instanceof StateStoreError)) throw error;
      this.#saved = null;
      return false;
    }
  }
}
