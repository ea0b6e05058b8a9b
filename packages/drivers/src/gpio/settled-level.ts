import { after, type Monotonic } from '@lintel/access-core/monotonic';

/** A level that is believed when it has lasted. */
export interface SettledLevel {
  readonly isActive: boolean;
  /** Set while the line has the other level. */
  readonly changesAt: Monotonic | null;
}

export const settledAt = (isActive: boolean): SettledLevel => ({ isActive, changesAt: null });

/** What was read just now. Call again when `changesAt` is due. */
export const settle = (state: SettledLevel, isActive: boolean, debounce_ms: number, now: Monotonic): SettledLevel => {
  if (isActive === state.isActive) return settledAt(isActive);
  const changesAt = state.changesAt ?? after(now, debounce_ms);
  return now >= changesAt ? settledAt(isActive) : { isActive: state.isActive, changesAt };
};
