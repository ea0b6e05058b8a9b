import { type Instant, instant } from '@lintel/access-core/instant';
import type { Monotonic } from '@lintel/access-core/monotonic';
import type { TimeSource } from '../../ports/wall-clock.ts';

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
}

const DAY_MS = 86_400_000;
/** A source that is so little behind is right: clocks drift, and ours does not go back for it. */
const TOLERANCE_MS = 60_000;

export const timeNow = ({ anchor, at }: TimeState, now: Monotonic): Instant =>
  instant(anchor + Math.max(0, Math.floor(now - at)));

export const startTime = (floor: Instant | null, earliest: Instant, now: Monotonic): TimeState => ({
  anchor: instant(Math.max(floor ?? earliest, earliest)),
  at: now,
  source: 'floor',
  trusted: false,
  isUnset: floor === null,
  stepped_ms: 0,
});

/**
 * A clock that anybody on the wire or in the cupboard can set. Behind the floor it is refused, and so is more than a day
 * ahead, all steps of a run together: only the bridge moves the time that far. Null when refused: nothing changes then.
 */
export const takeReading = (
  state: TimeState,
  source: 'rtc' | 'ntp',
  time: Instant,
  now: Monotonic,
): TimeState | null => {
  const kept = timeNow(state, now);
  const ahead = time - kept;
  if (!(ahead >= -TOLERANCE_MS)) return null;
  const anchor = instant(Math.max(kept, time));
  const stepped_ms = state.isUnset ? 0 : state.stepped_ms + Math.max(0, ahead);
  if (stepped_ms > DAY_MS) return null;
  const isBridge = state.source === 'bridge' && Math.abs(ahead) <= TOLERANCE_MS;
  return { anchor, at: now, source: isBridge ? 'bridge' : source, trusted: true, isUnset: false, stepped_ms };
};

/** Signed and fresh: forward, back, as far as it says. */
export const takeBridgeTime = (time: Instant, now: Monotonic): TimeState => ({
  anchor: time,
  at: now,
  source: 'bridge',
  trusted: true,
  isUnset: false,
  stepped_ms: 0,
});
