import { OutputError, type OutputLines } from '../../ports/output-lines.ts';
import type { FaultListener } from '../../ports/part-fault.ts';
import { PartHealth } from '../../part-health/part-health.ts';

/** What is asked of a board's lines, and what they must be after the board was away. */
export abstract class RelayBoard implements OutputLines {
  readonly health = new PartHealth();
  readonly #outputs: readonly string[];
  /** Those that are on until they are released. A pulse is not taken up again: its time is over. */
  readonly #held = new Set<string>();

  constructor(outputs: readonly string[]) {
    this.#outputs = outputs;
  }

  /** Sends a command for one line. `pulse_ms` is for boards that time pulses themselves. May throw. */
  protected abstract drive(output: string, on: boolean, pulse_ms: number | null): void;

  energize(output: string, pulse_ms: number | null): void {
    this.#check(output);
    this.#command(output, true, pulse_ms);
    if (pulse_ms === null) this.#held.add(output);
    else this.#held.delete(output);
  }

  release(output: string): void {
    // First, so that a board that is away does not come back with the door open.
    this.#held.delete(output);
    this.#check(output);
    this.#command(output, false, null);
  }

  faultOf(output: string): string | null {
    return this.#boardFault(output);
  }

  #boardFault(output: string): string | null {
    if (!this.#outputs.includes(output)) return 'there is no such line';
    return this.health.fault?.message ?? null;
  }

  onFault(listener: FaultListener): void {
    this.health.onFault(listener);
  }

  isHeld(output: string): boolean {
    return this.#held.has(output);
  }

  /** The board has just come to life: nobody knows in which state. Throws when it does not listen. */
  restart(): void {
    for (const output of this.#outputs) this.drive(output, this.#held.has(output), null);
  }

  #check(output: string): void {
    // Not `faultOf`: a command that a single line has refused before may be tried again.
    const fault = this.#boardFault(output);
    if (fault !== null) throw new OutputError(fault);
  }

  #command(output: string, on: boolean, pulse_ms: number | null): void {
    try {
      this.drive(output, on, pulse_ms);
    } catch (error) {
      throw new OutputError((error as Error).message, { cause: error });
    }
  }
}
