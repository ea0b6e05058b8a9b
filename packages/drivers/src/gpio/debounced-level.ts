import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';

/** A level that changes only after the new level has lasted for the debounce time. */
export interface DebouncedLevel {
  readonly isActive: boolean;
  /** Set while the line has the other level. */
  readonly changesAt: MonotonicTime | null;
}

export const createDebouncedLevel = (isActive: boolean): DebouncedLevel => ({ isActive, changesAt: null });

/** Takes the level just read. Call again at `changesAt`. */
export const debounceLevel = (
  state: DebouncedLevel,
  isActive: boolean,
  debounce_ms: number,
  now: MonotonicTime,
): DebouncedLevel => {
  if (isActive === state.isActive) return createDebouncedLevel(isActive);
  const changesAt = state.changesAt ?? addMilliseconds(now, debounce_ms);
  return now >= changesAt ? createDebouncedLevel(isActive) : { isActive: state.isActive, changesAt };
};
