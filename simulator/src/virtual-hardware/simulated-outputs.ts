import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import { OutputLineError, type OutputLines, type PartFaultListener, type PartFault } from '@lintel/drivers/interfaces';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';

export interface OutputChange {
  readonly output: string;
  readonly on: boolean;
  readonly at: MonotonicTime;
}

/** Simulated relays, lights and buzzers. The simulated board times its pulses itself. */
export class SimulatedOutputs implements OutputLines {
  readonly #clock: Pick<MonotonicClock, 'now'>;
  readonly #names: ReadonlySet<string> | null;
  /** End of the pulse. Null: on until released. */
  readonly #onUntil = new Map<string, MonotonicTime | null>();
  #listener: (change: OutputChange) => void = () => undefined;
  #fault: PartFaultListener = () => undefined;
  #broken: PartFault | null = null;

  /** `names`: the existing lines; null allows any name. */
  constructor(clock: Pick<MonotonicClock, 'now'>, names: readonly string[] | null = null) {
    this.#clock = clock;
    this.#names = names === null ? null : new Set(names);
  }

  #check(output: string): void {
    const fault = this.faultOf(output);
    if (fault !== null) throw new OutputLineError(fault);
  }

  faultOf(output: string): string | null {
    if (this.#broken !== null) return this.#broken.message;
    return this.#names?.has(output) === false ? 'unknown output' : null;
  }

  energize(output: string, pulse_ms: number | null): void {
    this.#check(output);
    const at = this.#clock.now();
    this.#onUntil.set(output, pulse_ms === null ? null : addMilliseconds(at, pulse_ms));
    this.#listener({ output, on: true, at });
  }

  release(output: string): void {
    this.#check(output);
    if (this.#onUntil.delete(output)) this.#listener({ output, on: false, at: this.#clock.now() });
  }

  onFault(listener: PartFaultListener): void {
    this.#fault = listener;
  }

  /** Whether the output is on. A pulse ends without a command. */
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
