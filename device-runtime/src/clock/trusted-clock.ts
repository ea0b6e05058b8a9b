import { type Instant, instant } from '@lintel/access-core/instant';
import type { MonotonicTime } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import { KeyValueStoreError } from '@lintel/service/data-folder/key-value-store';
import type { ControllerStateStore } from '../state/controller-state-store.ts';
import type { ClockPollResult, ClockSource, WallClock } from './wall-clock.ts';
import type { SystemTime } from './system-time.ts';
import {
  TIME_FLOOR_SAVE_INTERVAL_MS,
  createInitialClockState,
  applyBridgeTime,
  applyClockReading,
  computeCurrentTime,
  type ClockState,
  CLOCK_TOLERANCE_MS,
} from './clock-trust.ts';

export interface TrustedClockDependencies {
  readonly state: ControllerStateStore;
  readonly monotonic: MonotonicClock;
  readonly system: SystemTime;
  /** The board has a battery-backed clock. */
  readonly hasRtc: boolean;
  /** Earlier times are rejected: the date of the firmware. */
  readonly earliest: Instant;
  /** Time of the newest event of an earlier run. */
  readonly lastWritten: Instant | null;
}

const readSavedTime = (state: ControllerStateStore, key: 'time_floor' | 'bridge_time'): Instant | null => {
  const time = state.read(key);
  return Number.isSafeInteger(time) ? instant(time as number) : null;
};

interface SignedTime {
  readonly time: Instant;
  readonly at: MonotonicTime;
}

/** The time of day on a board without a battery-backed clock: a floor on disk, and trusted sources. */
export class TrustedClock implements WallClock {
  readonly #parts: TrustedClockDependencies;
  #time: ClockState;
  #saved: Instant | null;
  /** Set by the bridge, in this run or an earlier one. */
  #bridgeTime: SignedTime | null;
  #wasRejected = false;
  #onSuspectTime: () => void = () => undefined;

  constructor(parts: TrustedClockDependencies) {
    this.#parts = parts;
    const at = parts.monotonic.now();
    this.#saved = readSavedTime(parts.state, 'time_floor');
    this.#time = createInitialClockState(this.#saved, parts.earliest, parts.lastWritten, at);
    const time = readSavedTime(parts.state, 'bridge_time');
    this.#bridgeTime = time === null ? null : { time, at };
  }

  now(): Instant {
    return computeCurrentTime(this.#time, this.#parts.monotonic.now());
  }

  /**
   * The earliest time it can be according to the bridge alone. Certificates and tickets are checked against it, so that
   * a wrong time server cannot make them expire and lock the bridge out.
   */
  signedNow(): Instant {
    const { monotonic, earliest } = this.#parts;
    if (this.#bridgeTime === null) return earliest;
    const { time, at } = this.#bridgeTime;
    return instant(Math.max(earliest, time + Math.floor(monotonic.now() - at)));
  }

  isTrusted(): boolean {
    return this.#time.trusted;
  }

  source(): ClockSource {
    return this.#time.source;
  }

  setByBridge(time: Instant): void {
    const at = this.#parts.monotonic.now();
    this.#time = applyBridgeTime(this.#time, time, at);
    this.#bridgeTime = { time, at };
    this.save();
  }

  onSuspectTime(listener: () => void): void {
    this.#onSuspectTime = listener;
  }

  poll(): ClockPollResult {
    const { system, hasRtc, monotonic } = this.#parts;
    const source = system.isSynchronized() ? 'ntp' : hasRtc ? 'rtc' : null;
    const before = this.now();
    const reading = source === null ? this.#time : applyClockReading(this.#time, source, system.now(), monotonic.now());
    this.#time = reading ?? this.#time;
    const isStepped = this.now() - before > CLOCK_TOLERANCE_MS;
    const isRejected = reading === null;
    if (isStepped || (isRejected && !this.#wasRejected)) this.#onSuspectTime();
    this.#wasRejected = isRejected;
    const isDue = this.#saved === null || this.now() - this.#saved >= TIME_FLOOR_SAVE_INTERVAL_MS;
    if (isDue && !this.save()) return 'unsaved';
    return isRejected ? 'refused' : 'fine';
  }

  /** False when it could not be written; the next poll tries again. */
  save(): boolean {
    if (this.#time.isUnset) return true;
    const now = this.now();
    const { state } = this.#parts;
    try {
      state.write('time_floor', now);
      if (this.#bridgeTime !== null) state.write('bridge_time', this.signedNow());
      this.#saved = now;
      return true;
    } catch (error) {
      if (!(error instanceof KeyValueStoreError)) throw error;
      this.#saved = null;
      return false;
    }
  }
}
