import { OutputLineError, type OutputLines } from '../interfaces/output-lines.ts';
import type { PartFaultListener } from '../interfaces/part-fault.ts';
import { PartHealth } from '../part-health/part-health.ts';

/** The requested state of the lines of a board, restored after the board was absent. */
export abstract class RelayBoardBase implements OutputLines {
  readonly health = new PartHealth();
  readonly #outputs: readonly string[];
  /** Outputs that are on until released. Pulses are not restored, because their time is over. */
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
    // Done first, so that an absent board does not come back with the door unlocked.
    this.#held.delete(output);
    this.#check(output);
    this.#command(output, false, null);
  }

  faultOf(output: string): string | null {
    return this.#boardFault(output);
  }

  #boardFault(output: string): string | null {
    if (!this.#outputs.includes(output)) return 'No such line';
    return this.health.fault?.message ?? null;
  }

  onFault(listener: PartFaultListener): void {
    this.health.onFault(listener);
  }

  isHeld(output: string): boolean {
    return this.#held.has(output);
  }

  /** The board has just connected in an unknown state. Throws if it does not accept commands. */
  restart(): void {
    for (const output of this.#outputs) this.drive(output, this.#held.has(output), null);
  }

  #check(output: string): void {
    // Not `faultOf`: a command that one line refused earlier may be retried.
    const fault = this.#boardFault(output);
    if (fault !== null) throw new OutputLineError(fault);
  }

  #command(output: string, on: boolean, pulse_ms: number | null): void {
    try {
      this.drive(output, on, pulse_ms);
    } catch (error) {
      throw new OutputLineError((error as Error).message, { cause: error });
    }
  }
}
