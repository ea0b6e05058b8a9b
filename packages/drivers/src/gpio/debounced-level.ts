import { after, type MonotonicTime } from '@lintel/access-core/monotonic';

/** A level that changes only after the new level has lasted for the debounce time. */
export interface DebouncedLevel {
  readonly isActive: boolean;
  /** Set while the line has the other level. */
  readonly changesAt: MonotonicTime | null;
}

export const stableLevel = (isActive: boolean): DebouncedLevel => ({ isActive, changesAt: null });

/** Takes the level just read. Call again at `changesAt`. */
export const debounceLevel = (
  state: DebouncedLevel,
  isActive: boolean,
  debounce_ms: number,
  now: MonotonicTime,
): DebouncedLevel => {
  if (isActive === state.isActive) return stableLevel(isActive);
  const changesAt = state.changesAt ?? after(now, debounce_ms);
  return now >= changesAt ? stableLevel(isActive) : { isActive: state.isActive, changesAt };
};
