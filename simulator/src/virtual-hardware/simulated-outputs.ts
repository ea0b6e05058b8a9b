import { after, type Monotonic } from '@lintel/access-core/monotonic';
import { OutputError, type OutputLines } from '@lintel/drivers/ports/output-lines';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { FaultListener, PartFault } from '@lintel/drivers/ports/part-fault';

export interface OutputChange {
  readonly output: string;
  readonly on: boolean;
  readonly at: Monotonic;
}

/** Relays, lights and buzzers of a board that times its pulses itself. */
export class SimulatedOutputs implements OutputLines {
  readonly #clock: Pick<MonotonicClock, 'now'>;
  readonly #names: ReadonlySet<string> | null;
  /** Null: on until it is released. */
  readonly #onUntil = new Map<string, Monotonic | null>();
  #listener: (change: OutputChange) => void = () => undefined;
  #fault: FaultListener = () => undefined;
  #broken: PartFault | null = null;

  /** `names`: the lines that there are; null for any. */
  constructor(clock: Pick<MonotonicClock, 'now'>, names: readonly string[] | null = null) {
    this.#clock = clock;
    this.#names = names === null ? null : new Set(names);
  }

  #check(output: string): void {
    const fault = this.faultOf(output);
    if (fault !== null) throw new OutputError(fault);
  }

  faultOf(output: string): string | null {
    if (this.#broken !== null) return this.#broken.message;
    return this.#names?.has(output) === false ? 'there is no such line' : null;
  }

  energize(output: string, pulse_ms: number | null): void {
    this.#check(output);
    const at = this.#clock.now();
    this.#onUntil.set(output, pulse_ms === null ? null : after(at, pulse_ms));
    this.#listener({ output, on: true, at });
  }

  release(output: string): void {
    this.#check(output);
    if (this.#onUntil.delete(output)) this.#listener({ output, on: false, at: this.#clock.now() });
  }

  onFault(listener: FaultListener): void {
    this.#fault = listener;
  }

  /** As the board has it, whatever the process does: a pulse that has run out is off. */
  isOn(output: string): boolean {
    const until = this.#onUntil.get(output);
    return until === null || (until !== undefined && this.#clock.now() < until);
  }

  onChange(listener: (change: OutputChange) => void): void {
    this.#listener = listener;
  }

  fail(fault: PartFault | null): void {
    this.#broken = fault;
    this.#fault(fault);
  }
}
