import { PartHealth } from '../part-health/part-health.ts';
import type { InputLines, LineLevel } from '../ports/input-lines.ts';
import type { FaultListener } from '../ports/part-fault.ts';

/** `cut`: the board responds but detects no contact at the end of the wire. */
export type ReportedLevel = LineLevel | 'cut';

export abstract class InputLinesBase implements InputLines {
  protected readonly health = new PartHealth();
  readonly #levels = new Map<string, ReportedLevel>();
  #listener: (input: string, level: LineLevel) => void = () => undefined;

  level(input: string): LineLevel {
    const level = this.#levels.get(input) ?? 'unknown';
    return level === 'cut' ? 'unknown' : level;
  }

  isCut(input: string): boolean {
    return this.#levels.get(input) === 'cut';
  }

  onLevel(listener: (input: string, level: LineLevel) => void): void {
    this.#listener = listener;
  }

  onFault(listener: FaultListener): void {
    this.health.onFault(listener);
  }

  protected report(input: string, level: ReportedLevel): void {
    if ((this.#levels.get(input) ?? 'unknown') === level) return;
    this.#levels.set(input, level);
    this.#listener(input, this.level(input));
  }
}
