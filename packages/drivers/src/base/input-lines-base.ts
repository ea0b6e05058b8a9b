import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { InputLines, InputLineState } from '../interfaces/input-lines.ts';
import type { PartFaultListener } from '../interfaces/part-fault.ts';
import { PartHealth } from '../part-health/part-health.ts';

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

/** `cut`: the board responds but detects no contact at the end of the wire. */
export type ReportedInputLineState = InputLineState | 'cut';

export abstract class InputLinesBase implements InputLines {
  protected readonly health = new PartHealth();
  readonly #levels = new Map<string, ReportedInputLineState>();
  #listener: (input: string, level: InputLineState) => void = () => undefined;

  level(input: string): InputLineState {
    const level = this.#levels.get(input) ?? 'unknown';
    return level === 'cut' ? 'unknown' : level;
  }

  isCut(input: string): boolean {
    return this.#levels.get(input) === 'cut';
  }

  onLevel(listener: (input: string, level: InputLineState) => void): void {
    this.#listener = listener;
  }

  onFault(listener: PartFaultListener): void {
    this.health.onFault(listener);
  }

  protected report(input: string, level: ReportedInputLineState): void {
    if ((this.#levels.get(input) ?? 'unknown') === level) return;
    this.#levels.set(input, level);
    this.#listener(input, this.level(input));
  }
}
