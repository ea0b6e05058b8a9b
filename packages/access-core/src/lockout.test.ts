import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from './durations.ts';
import {
  countWrongPinEntry,
  defaultLockoutTimes as times,
  computeRemainingLockoutMs,
  initialLockoutState,
  restoreLockoutState,
  toSavedLockoutState,
  type LockoutState,
} from './lockout.ts';
import { addMilliseconds, monotonic } from './monotonic-time.ts';

/** `count` wrong entries, each as soon as the keypad accepts one. */
const wrongInARow = (count: number): LockoutState => {
  let lockout = initialLockoutState;
  let at = monotonic(5_000);
  for (let entry = 0; entry < count; entry += 1) {
    lockout = countWrongPinEntry(times, lockout, at).lockout;
    at = addMilliseconds(at, computeRemainingLockoutMs(lockout, at));
  }
  return lockout;
};

/** Duration of the next lockout after this much quiet time. */
const nextLock = (lockout: LockoutState, quietMs: number): number =>
  countWrongPinEntry(times, lockout, addMilliseconds(lockout.quiet_from, quietMs)).locked_ms;

const entriesUntilLock = (start: LockoutState, quietMs: number): number => {
  let lockout = start;
  let at = addMilliseconds(start.quiet_from, quietMs);
  for (let entry = 1; ; entry += 1) {
    const counted = countWrongPinEntry(times, lockout, at);
    if (counted.locked_ms > 0) return entry;
    lockout = counted.lockout;
    at = addMilliseconds(at, 1);
  }
};

describe('quiet time', () => {
  it('of 15 minutes clears the count when there was no lockout yet', () => {
    expect(entriesUntilLock(wrongInARow(4), 15 * MINUTE_MS - 1)).toBe(1);
    expect(entriesUntilLock(wrongInARow(4), 15 * MINUTE_MS)).toBe(5);
  });

  it('starts at the last wrong entry, not at the first', () => {
    const second = countWrongPinEntry(
      times,
      wrongInARow(3),
      addMilliseconds(wrongInARow(3).quiet_from, 14 * MINUTE_MS),
    ).lockout;
    expect(nextLock(second, 14 * MINUTE_MS)).toBe(30_000);
  });

  it('starts at the end of a lockout', () => {
    const lockout = wrongInARow(6);
    expect(lockout.quiet_from).toBe(5_000 + 30_000 + 60_000);
    expect(nextLock(lockout, 15 * MINUTE_MS - 1)).toBe(120_000);
    expect(nextLock(lockout, 15 * MINUTE_MS)).toBe(60_000);
  });

  it('halves the next lockout for each period, down to the first, then clears the count', () => {
    const lockout = wrongInARow(7);
    expect([0, 15, 30, 45].map(minutes => nextLock(lockout, minutes * MINUTE_MS))).toEqual([
      240_000, 120_000, 60_000, 30_000,
    ]);
    expect(nextLock(lockout, 60 * MINUTE_MS)).toBe(0);
    expect(entriesUntilLock(lockout, 60 * MINUTE_MS)).toBe(5);
  });

  it('halves the capped longest lockout, not the uncapped doubled value', () => {
    const lockout = wrongInARow(12);
    expect([0, 15, 30, 45, 60, 75].map(minutes => nextLock(lockout, minutes * MINUTE_MS))).toEqual([
      900_000, 450_000, 225_000, 112_500, 56_250, 0,
    ]);
  });

  it('is not carried over when a wrong entry interrupts it', () => {
    const lockout = wrongInARow(7);
    const again = countWrongPinEntry(times, lockout, addMilliseconds(lockout.quiet_from, 29 * MINUTE_MS));
    expect(again.locked_ms).toBe(120_000);
    expect(nextLock(again.lockout, 14 * MINUTE_MS)).toBe(240_000);
  });
});

describe('lockout', () => {
  it('uses the times of the profile', () => {
    const short = { first_lockout_ms: 1_000, longest_lockout_ms: 1_500, quiet_ms: 10_000 };
    let lockout = initialLockoutState;
    for (let entry = 0; entry < 4; entry += 1) lockout = countWrongPinEntry(short, lockout, monotonic(0)).lockout;
    const fifth = countWrongPinEntry(short, lockout, monotonic(0));
    const sixth = countWrongPinEntry(short, fifth.lockout, monotonic(1_000));
    expect([fifth.locked_ms, sixth.locked_ms]).toEqual([1_000, 1_500]);
  });

  it('is not shortened by a wrong entry during the lockout', () => {
    const locked = wrongInARow(12);
    const justBegun = addMilliseconds(locked.quiet_from, -900_000);
    const calm = { ...locked, next_ms: 0 };
    expect(countWrongPinEntry(times, calm, justBegun).lockout.quiet_from).toBe(locked.quiet_from);
  });
});

describe('saved and restored lockout', () => {
  const restored = (saved: unknown, now: number, elapsedMs?: number): LockoutState => {
    const result = restoreLockoutState(times, JSON.parse(JSON.stringify(saved)), monotonic(now), elapsedMs);
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    return result.value;
  };

  it('continues with the remaining time when the clock restarts', () => {
    const lockout = wrongInARow(6);
    const saved = toSavedLockoutState(lockout, addMilliseconds(lockout.quiet_from, -40_000));
    expect(computeRemainingLockoutMs(restored(saved, 7), monotonic(7))).toBe(40_000);
    expect(computeRemainingLockoutMs(restored(saved, 7, 15_000), monotonic(7))).toBe(25_000);
  });

  it('continues with the quiet time that has passed', () => {
    const lockout = wrongInARow(6);
    const back = restored(toSavedLockoutState(lockout, addMilliseconds(lockout.quiet_from, 10 * MINUTE_MS)), 0);
    expect(countWrongPinEntry(times, back, monotonic(5 * MINUTE_MS - 1)).locked_ms).toBe(120_000);
    expect(countWrongPinEntry(times, back, monotonic(5 * MINUTE_MS)).locked_ms).toBe(60_000);
  });

  it('is not shortened when the clock was set back in between', () => {
    const lockout = wrongInARow(5);
    const saved = toSavedLockoutState(lockout, addMilliseconds(lockout.quiet_from, -30_000));
    expect(computeRemainingLockoutMs(restored(saved, 0, -1_000_000), monotonic(0))).toBe(30_000);
  });

  it('is unchanged for a keypad without wrong entries', () => {
    expect(restored(toSavedLockoutState(initialLockoutState, monotonic(123)), 456)).toBe(initialLockoutState);
  });

  it('treats later wrong entries like the original, whatever the new clock', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 12 }),
        fc.integer({ min: -900_000, max: 4_000_000 }),
        fc.nat(),
        fc.nat({ max: 4_000_000 }),
        (count, savedAfter, restart, later) => {
          const lockout = wrongInARow(count);
          const savedAt = addMilliseconds(lockout.quiet_from, savedAfter);
          const direct = countWrongPinEntry(times, lockout, addMilliseconds(savedAt, later));
          const back = restored(toSavedLockoutState(lockout, savedAt), restart);
          expect(countWrongPinEntry(times, back, monotonic(restart + later)).locked_ms).toBe(direct.locked_ms);
        },
      ),
    );
  });

  it('rejects invalid data with each field named, and never throws', () => {
    const result = restoreLockoutState(
      times,
      { wrong_entries: Infinity, next_ms: Number.NaN, locked_for_ms: '9' },
      monotonic(0),
      0,
      'x',
    );
    expect(result.ok ? [] : result.problems.map(({ path }) => path)).toEqual([
      'x.wrong_entries',
      'x.next_ms',
      'x.locked_for_ms',
      'x.quiet_for_ms',
    ]);
    fc.assert(
      fc.property(fc.anything(), saved => {
        expect(restoreLockoutState(times, saved, monotonic(0)).ok).toBe(false);
      }),
    );
  });

  it('never exceeds the longest lockout, whatever was saved', () => {
    const saved = { wrong_entries: 9, next_ms: 1e300, locked_for_ms: 1e300, quiet_for_ms: 0 };
    const back = restored(saved, 0);
    expect(computeRemainingLockoutMs(back, monotonic(0))).toBe(900_000);
    expect(countWrongPinEntry(times, back, monotonic(900_000)).locked_ms).toBe(900_000);
  });
});
