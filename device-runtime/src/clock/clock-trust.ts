import { type Instant, instant } from '@lintel/access-core/instant';
import type { Monotonic } from '@lintel/access-core/monotonic';
import type { TimeSource } from './wall-clock.ts';

/** What the controller believes of the time: it was `anchor` at `at`, and since then the monotonic clock has run. */
export interface TimeState {
  readonly anchor: Instant;
  readonly at: Monotonic;
  readonly source: TimeSource;
  readonly trusted: boolean;
  /** Nobody has told the time yet, not even a floor of an earlier run. */
  readonly isUnset: boolean;
  /** How far other sources than the bridge have moved the time in this run. */
  readonly stepped_ms: number;
  /** The bridge has said otherwise than such a source, which has not come round since. */
  readonly isContradicted: boolean;
}

const DAY_MS = 86_400_000;
/** A source that is so little behind is right: clocks drift, and ours does not go back for it. */
export const TOLERANCE_MS = 60_000;

export const timeNow = ({ anchor, at }: TimeState, now: Monotonic): Instant =>
  instant(anchor + Math.max(0, Math.floor(now - at)));

/** A floor is saved so often, and when the bridge has told the time. Cards of a Pi wear out. */
export const SAVE_FLOOR_EVERY_MS = 300_000;

/**
 * What was written after the floor was saved is later than it, if only by so much: an event that is farther ahead is from
 * before the bridge has set the time back.
 */
const laterOf = (floor: Instant | null, earliest: Instant, lastWritten: Instant | null): Instant => {
  const kept = Math.max(floor ?? earliest, earliest);
  if (lastWritten === null) return instant(kept);
  const isSince = floor === null || lastWritten - floor <= SAVE_FLOOR_EVERY_MS + TOLERANCE_MS;
  return instant(isSince ? Math.max(kept, lastWritten) : kept);
};

export const startTime = (
  floor: Instant | null,
  earliest: Instant,
  lastWritten: Instant | null,
  now: Monotonic,
): TimeState => ({
  anchor: laterOf(floor, earliest, lastWritten),
  at: now,
  source: 'floor',
  trusted: false,
  isUnset: floor === null,
  stepped_ms: 0,
  isContradicted: false,
});

/**
 * A clock that anybody on the wire or in the cupboard can set. Behind the floor it is refused, and so is more than a day
 * ahead, all steps of a run together: only the bridge moves the time that far. One whom the bridge has contradicted is
 * refused until it says the same. Null when refused: nothing changes then.
 */
export const takeReading = (
  state: TimeState,
  source: 'rtc' | 'ntp',
  time: Instant,
  now: Monotonic,
): TimeState | null => {
  const kept = timeNow(state, now);
  const ahead = time - kept;
  const isSame = Math.abs(ahead) <= TOLERANCE_MS;
  if (!(ahead >= -TOLERANCE_MS) || (state.isContradicted && !isSame)) return null;
  const anchor = instant(Math.max(kept, time));
  const stepped_ms = state.isUnset ? 0 : state.stepped_ms + Math.max(0, ahead);
  if (stepped_ms > DAY_MS) return null;
  const told = state.source === 'bridge' && isSame ? 'bridge' : source;
  return { anchor, at: now, source: told, trusted: true, isUnset: false, stepped_ms, isContradicted: false };
};

/** Signed and fresh: forward, back, as far as it says. */
export const takeBridgeTime = (state: TimeState, time: Instant, now: Monotonic): TimeState => {
  const wasTold = state.source === 'ntp' || state.source === 'rtc';
  const isOther = wasTold && Math.abs(timeNow(state, now) - time) > TOLERANCE_MS;
  return {
    anchor: time,
    at: now,
    source: 'bridge',
    trusted: true,
    isUnset: false,
    stepped_ms: 0,
    isContradicted: state.isContradicted || isOther,
  };
};
