import type { InputLines, InputLineState, PartFaultListener, PartFault } from '@lintel/drivers/interfaces';

/** Simulated contacts and buttons. They are inactive until they are set. */
export class SimulatedInputs implements InputLines {
  readonly #levels = new Map<string, InputLineState>();
  #listener: (input: string, level: InputLineState) => void = () => undefined;
  #fault: PartFaultListener = () => undefined;
  #broken = false;

  level(input: string): InputLineState {
    return this.#broken ? 'unknown' : (this.#levels.get(input) ?? 'inactive');
  }

  /** Whether the level was set to `unknown`, as for a cut wire. */
  isCut(input: string): boolean {
    return !this.#broken && this.#levels.get(input) === 'unknown';
  }

  onLevel(listener: (input: string, level: InputLineState) => void): void {
    this.#listener = listener;
  }

  onFault(listener: PartFaultListener): void {
    this.#fault = listener;
  }

  set(input: string, level: InputLineState): void {
    if (this.#levels.get(input) === level) return;
    this.#levels.set(input, level);
    if (!this.#broken) this.#listener(input, level);
  }

  /** Presses and releases a button. */
  press(input: string): void {
    this.set(input, 'active');
    this.set(input, 'inactive');
  }

  fail(fault: PartFault | null): void {
    this.#broken = fault !== null;
    for (const input of this.#levels.keys()) this.#listener(input, this.level(input));
    this.#fault(fault);
  }
}
