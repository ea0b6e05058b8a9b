import { DAY_MS } from '@lintel/access-core/durations';
import { type Instant, instant } from '@lintel/access-core/instant';
import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { ClockSource } from './wall-clock-interface.ts';

/** The time was `anchor` at `at`; since then the monotonic clock has run. */
export interface ClockState {
  readonly anchor: Instant;
  readonly at: MonotonicTime;
  readonly source: ClockSource;
  readonly trusted: boolean;
  /** No source has set the time yet, and no earlier run saved a floor. */
  readonly isUnset: boolean;
  /** How far sources other than the bridge moved the time since the machine was switched on. */
  readonly stepped_ms: number;
  /** The bridge disagreed with such a source, and the source has not agreed since. */
  readonly isContradicted: boolean;
}

/** A source that is behind by less counts as right: clocks drift, and this clock does not go back. */
export const CLOCK_TOLERANCE_MS = 60_000;

export const computeCurrentTime = ({ anchor, at }: Pick<ClockState, 'anchor' | 'at'>, now: MonotonicTime): Instant =>
  instant(anchor + Math.max(0, Math.floor(now - at)));

/** The floor is also saved when the bridge sets the time. More frequent writes would wear out the SD card. */
export const TIME_FLOOR_SAVE_INTERVAL_MS = 300_000;

/**
 * An event written after the floor was saved is later than the floor by at most one save interval. An event that is
 * farther ahead was written before the bridge set the time back.
 */
const initialTime = (floor: Instant | null, earliest: Instant, lastWritten: Instant | null): Instant => {
  const floorTime = Math.max(floor ?? earliest, earliest);
  if (lastWritten === null) return instant(floorTime);
  const isSince = floor === null || lastWritten - floor <= TIME_FLOOR_SAVE_INTERVAL_MS + CLOCK_TOLERANCE_MS;
  return instant(isSince ? Math.max(floorTime, lastWritten) : floorTime);
};

export const createInitialClockState = (
  floor: Instant | null,
  earliest: Instant,
  lastWritten: Instant | null,
  now: MonotonicTime,
): ClockState => ({
  anchor: initialTime(floor, earliest, lastWritten),
  at: now,
  source: 'floor',
  trusted: false,
  isUnset: floor === null,
  stepped_ms: 0,
  isContradicted: false,
});

/**
 * Continues the clock of an earlier run, not behind the floor. A floor that is farther ahead was saved before the bridge
 * set the time back.
 */
export const resumeClockState = (clock: ClockState, floor: Instant | null, now: MonotonicTime): ClockState => {
  const current = computeCurrentTime(clock, now);
  const isLoweredByBridge = clock.source === 'bridge' && (floor ?? current) - current > CLOCK_TOLERANCE_MS;
  return { ...clock, anchor: instant(isLoweredByBridge ? current : Math.max(current, floor ?? current)), at: now };
};

/**
 * Applies a reading of a clock that an attacker can set. Returns null, and rejects the reading, when it is behind the
 * floor, when all steps since the machine was switched on exceed a day (only the bridge moves the time that far), or when
 * the bridge disagreed with this clock and they do not agree yet.
 */
export const applyClockReading = (
  state: ClockState,
  source: 'rtc' | 'ntp',
  time: Instant,
  now: MonotonicTime,
): ClockState | null => {
  const current = computeCurrentTime(state, now);
  const ahead = time - current;
  const isSame = Math.abs(ahead) <= CLOCK_TOLERANCE_MS;
  if (!(ahead >= -CLOCK_TOLERANCE_MS) || (state.isContradicted && !isSame)) return null;
  const anchor = instant(Math.max(current, time));
  const stepped_ms = state.isUnset ? 0 : state.stepped_ms + Math.max(0, ahead);
  if (stepped_ms > DAY_MS) return null;
  const acceptedSource = state.source === 'bridge' && isSame ? 'bridge' : source;
  return { anchor, at: now, source: acceptedSource, trusted: true, isUnset: false, stepped_ms, isContradicted: false };
};

/** The time of the bridge is signed and fresh, so it may move the clock forward and back by any amount. */
export const applyBridgeTime = (state: ClockState, time: Instant, now: MonotonicTime): ClockState => {
  const wasSetByOther = state.source === 'ntp' || state.source === 'rtc';
  const isDisagreement = wasSetByOther && Math.abs(computeCurrentTime(state, now) - time) > CLOCK_TOLERANCE_MS;
  return {
    anchor: time,
    at: now,
    source: 'bridge',
    trusted: true,
    isUnset: false,
    stepped_ms: 0,
    isContradicted: state.isContradicted || isDisagreement,
  };
};
