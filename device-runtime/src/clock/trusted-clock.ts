import { type Instant, instant } from '@lintel/access-core/instant';
import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import { KeyValueStoreError } from '@lintel/service/data-folder/key-value-store-interface';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';
import type { ClockPollResult, ClockSource, WallClock } from './wall-clock-interface.ts';
import type { SystemTime } from '@lintel/service/linux/system-time';
import {
  TIME_FLOOR_SAVE_INTERVAL_MS,
  createInitialClockState,
  applyBridgeTime,
  applyClockReading,
  computeCurrentTime,
  type ClockState,
  CLOCK_TOLERANCE_MS,
  resumeClockState,
} from './trusted-clock-state-transitions.ts';
import { differsFromSavedClock, parseSavedClock, type SavedClock, type BridgeTimeAnchor } from './saved-clock.ts';

export interface TrustedClockDependencies {
  readonly state: ControllerStateStore;
  readonly monotonic: { now(): MonotonicTime };
  /** Tells on which start of the machine `monotonic` counts. Null: its times mean nothing to a later run. */
  readonly bootId: string | null;
  readonly system: SystemTime;
  /** The board has a battery-backed clock, and its battery is fitted. */
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

/**
 * The time of day on a board without a battery-backed clock: a floor on disk, and trusted sources. A run continues the
 * clock of an earlier run on the same start of the machine, so that only a power cycle makes the time untrusted.
 */
export class TrustedClock implements WallClock {
  readonly #parts: TrustedClockDependencies;
  readonly #resumed: SavedClock | null;
  #time: ClockState;
  #saved: Instant | null;
  #savedClock: SavedClock | null;
  /** Set by the bridge, in this run or an earlier one. */
  #bridgeTime: BridgeTimeAnchor | null;
  #wasRejected = false;
  #onSuspectTime: () => void = () => undefined;
  readonly #trustListeners: Array<(offset_ms: number) => void> = [];

  constructor(parts: TrustedClockDependencies) {
    const { state, monotonic, bootId, earliest, lastWritten } = parts;
    this.#parts = parts;
    const at = monotonic.now();
    this.#saved = readSavedTime(state, 'time_floor');
    this.#resumed = parseSavedClock(state.read('clock'), bootId, at);
    this.#savedClock = this.#resumed;
    this.#time =
      this.#resumed === null
        ? createInitialClockState(this.#saved, earliest, lastWritten, at)
        : resumeClockState(this.#resumed.clock, this.#saved, at);
    const anchor = readSavedTime(state, 'bridge_time');
    this.#bridgeTime = this.#resumed?.signed ?? (anchor === null ? null : { anchor, at });
    // Before the first event, so that a run after a crash continues the same clock.
    this.#tryToWrite(() => this.#saveClock());
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
    return instant(Math.max(earliest, computeCurrentTime(this.#bridgeTime, monotonic.now())));
  }

  isTrusted(): boolean {
    return this.#time.trusted;
  }

  source(): ClockSource {
    return this.#time.source;
  }

  isResumed(): boolean {
    return this.#resumed !== null;
  }

  setByBridge(time: Instant): void {
    const at = this.#parts.monotonic.now();
    this.#bridgeTime = { anchor: time, at };
    this.#setTime(applyBridgeTime(this.#time, time, at));
    this.save();
  }

  onSuspectTime(listener: () => void): void {
    this.#onSuspectTime = listener;
  }

  onTrusted(listener: (offset_ms: number) => void): void {
    this.#trustListeners.push(listener);
  }

  /** Listeners save what depends on the untrusted clock before that clock is replaced on disk. */
  #setTime(time: ClockState): void {
    const before = this.now();
    const isNowTrusted = time.trusted && !this.#time.trusted;
    this.#time = time;
    if (isNowTrusted) for (const listener of this.#trustListeners) listener(this.now() - before);
  }

  /** The battery-backed clock is read until the time is trusted; after that it is the less accurate clock. */
  #read(): ClockState | null {
    const { system, hasRtc, monotonic } = this.#parts;
    if (system.isSynchronized()) return applyClockReading(this.#time, 'ntp', system.now(), monotonic.now());
    const rtc = hasRtc && !this.#time.trusted ? system.readRtc?.() : null;
    return rtc == null ? this.#time : applyClockReading(this.#time, 'rtc', rtc, monotonic.now());
  }

  poll(): ClockPollResult {
    const before = this.now();
    const reading = this.#read();
    const isStepped = reading !== null && computeCurrentTime(reading, reading.at) - before > CLOCK_TOLERANCE_MS;
    this.#setTime(reading ?? this.#time);
    const isRejected = reading === null;
    if (isStepped || (isRejected && !this.#wasRejected)) this.#onSuspectTime();
    this.#wasRejected = isRejected;
    const isDue = this.#saved === null || this.now() - this.#saved >= TIME_FLOOR_SAVE_INTERVAL_MS;
    if (isDue && !this.save()) return 'unsaved';
    return !this.#tryToWrite(() => this.#saveClock()) ? 'unsaved' : isRejected ? 'refused' : 'fine';
  }

  /** False when it could not be written; the next poll tries again. */
  save(): boolean {
    const { state } = this.#parts;
    const isSaved = this.#tryToWrite(() => {
      // Before the floor: a crash between them must not bring back a time that the bridge corrected.
      this.#saveClock();
      if (this.#time.isUnset) return;
      const now = this.now();
      state.write('time_floor', now);
      if (this.#bridgeTime !== null) state.write('bridge_time', this.signedNow());
      this.#saved = now;
    });
    if (!isSaved) this.#saved = null;
    return isSaved;
  }

  #saveClock(): void {
    const { state, bootId } = this.#parts;
    const current = { clock: this.#time, signed: this.#bridgeTime };
    if (bootId === null || !differsFromSavedClock(this.#savedClock, current)) return;
    const saved = { boot_id: bootId, ...current };
    state.write('clock', saved);
    this.#savedClock = saved;
  }

  #tryToWrite(write: () => void): boolean {
    try {
      write();
      return true;
    } catch (error) {
      if (!(error instanceof KeyValueStoreError)) throw error;
      return false;
    }
  }
}
