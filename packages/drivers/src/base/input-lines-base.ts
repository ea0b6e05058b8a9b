import { PartHealth } from '../part-health/part-health.ts';
import type { InputLines, InputLineState } from '../interfaces/input-lines.ts';
import type { PartFaultListener } from '../interfaces/part-fault.ts';

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
