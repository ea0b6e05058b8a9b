import { addMilliseconds, monotonic, type MonotonicTime } from './monotonic-time.ts';
import { failed, ok, createProblem, type Result } from './result.ts';

export interface LockoutTimes {
  readonly first_lockout_ms: number;
  readonly longest_lockout_ms: number;
  readonly quiet_ms: number;
}

export const defaultLockoutTimes: LockoutTimes = {
  first_lockout_ms: 30_000,
  longest_lockout_ms: 15 * 60_000,
  quiet_ms: 15 * 60_000,
};

/** The number of wrong entries that starts the first lockout; each later one starts another. */
const LOCKING_ENTRY = 5;

/** The wrong entries of one keypad. */
export interface LockoutState {
  readonly wrong_entries: number;
  /** Duration of the next lockout; values below the first lockout mean the first. */
  readonly next_ms: number;
  /** The last wrong entry, or the end of its lockout: locked before, quiet since. */
  readonly quiet_from: MonotonicTime;
}

export const initialLockoutState: LockoutState = { wrong_entries: 0, next_ms: 0, quiet_from: monotonic(0) };

/** Remaining lockout in milliseconds, 0 if there is none. */
export const computeRemainingLockoutMs = (lockout: LockoutState, now: MonotonicTime): number =>
  lockout.wrong_entries === 0 ? 0 : Math.max(0, lockout.quiet_from - now);

/** Each full quiet time halves the next lockout; below the first lockout, the count is cleared. */
const calmed = (times: LockoutTimes, lockout: LockoutState, at: MonotonicTime): LockoutState => {
  const quietTimes = Math.floor((at - lockout.quiet_from) / times.quiet_ms);
  if (lockout.wrong_entries === 0 || !(quietTimes > 0)) return lockout;
  const next_ms = Math.max(lockout.next_ms, times.first_lockout_ms) / 2 ** quietTimes;
  return next_ms < times.first_lockout_ms ? initialLockoutState : { ...lockout, next_ms };
};

/** `locked_ms` is the duration of the lockout that this entry starts, or 0. */
export const countWrongPinEntry = (
  times: LockoutTimes,
  lockout: LockoutState,
  at: MonotonicTime,
): { readonly lockout: LockoutState; readonly locked_ms: number } => {
  const before = calmed(times, lockout, at);
  const wrong_entries = before.wrong_entries + 1;
  const stillLocked = computeRemainingLockoutMs(before, at);
  if (wrong_entries < LOCKING_ENTRY) {
    return {
      lockout: { wrong_entries, next_ms: before.next_ms, quiet_from: addMilliseconds(at, stillLocked) },
      locked_ms: 0,
    };
  }
  const locked_ms = Math.min(Math.max(before.next_ms, times.first_lockout_ms), times.longest_lockout_ms);
  const next_ms = Math.min(locked_ms * 2, times.longest_lockout_ms);
  return {
    lockout: { wrong_entries, next_ms, quiet_from: addMilliseconds(at, Math.max(locked_ms, stillLocked)) },
    locked_ms,
  };
};

/** Form for storage: durations, because the monotonic clock restarts. */
export interface SavedLockoutState {
  readonly wrong_entries: number;
  readonly next_ms: number;
  readonly locked_for_ms: number;
  readonly quiet_for_ms: number;
}

export const toSavedLockoutState = (lockout: LockoutState, now: MonotonicTime): SavedLockoutState => ({
  wrong_entries: lockout.wrong_entries,
  next_ms: lockout.next_ms,
  locked_for_ms: computeRemainingLockoutMs(lockout, now),
  quiet_for_ms: lockout.wrong_entries === 0 ? 0 : Math.max(0, now - lockout.quiet_from),
});

/** In place of a lockout that cannot be read now: denies for the longest time, instead of forgetting wrong entries. */
export const createLongestLockout = ({ longest_lockout_ms }: LockoutTimes): SavedLockoutState => ({
  wrong_entries: LOCKING_ENTRY,
  next_ms: longest_lockout_ms,
  locked_for_ms: longest_lockout_ms,
  quiet_for_ms: 0,
});

const savedFields = ['wrong_entries', 'next_ms', 'locked_for_ms', 'quiet_for_ms'] as const;

/**
 * `elapsedMs` is the time between saving and restoring that is known for certain. Without a trusted clock it is 0, so
 * that cutting the power never shortens a lockout.
 */
export const restoreLockoutState = (
  times: LockoutTimes,
  saved: unknown,
  now: MonotonicTime,
  elapsedMs = 0,
  path = '',
): Result<LockoutState> => {
  const fields: Partial<Record<string, unknown>> = typeof saved === 'object' && saved !== null ? { ...saved } : {};
  const problems = savedFields
    .filter(name => !(typeof fields[name] === 'number' && fields[name] >= 0 && Number.isFinite(fields[name])))
    .map(name =>
      createProblem(path === '' ? name : `${path}.${name}`, 'invalid_number', 'must be a number that is not negative'),
    );
  if (problems.length > 0) return failed(problems);
  const { next_ms, locked_for_ms, quiet_for_ms, ...counted } = fields as unknown as SavedLockoutState;
  const wrong_entries = Math.floor(counted.wrong_entries);
  if (wrong_entries === 0) return ok(initialLockoutState);
  const remaining = Math.min(locked_for_ms, times.longest_lockout_ms) - quiet_for_ms - Math.max(0, elapsedMs);
  return ok({ wrong_entries, next_ms, quiet_from: addMilliseconds(now, remaining) });
};
