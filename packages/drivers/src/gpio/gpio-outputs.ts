import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import { OutputError, type OutputLines } from '../ports/output-lines.ts';
import type { FaultListener } from '../ports/part-fault.ts';
import type { DeviceCalls } from '@lintel/service/linux/device-calls';
import { linuxCalls } from '@lintel/service/linux/linux-calls';
import { joinHealth } from '../part-health/joined-health.ts';
import type { PartHealth } from '../part-health/part-health.ts';
import type { ChipLabels } from './gpio-chip.ts';
import { type GpioOutput, OutputLine } from './output-line.ts';

export interface GpioOutputsOptions {
  readonly chip: ChipLabels;
  readonly outputs: Readonly<Record<string, GpioOutput>>;
  readonly clock: MonotonicClock;
  readonly consumer?: string;
  readonly calls?: DeviceCalls;
}

const NO_LINE = 'there is no such line';

/**
 * Relays, lights and buzzers on lines of GPIO. The kernel cannot time a pulse: whoever started it releases it. Each line
 * by itself: a buzzer that another program has is no reason not to open the door.
 */
export class GpioOutputs implements OutputLines {
  readonly #lines: ReadonlyMap<string, OutputLine>;
  readonly #health: PartHealth;

  constructor({ calls = linuxCalls, chip, clock, consumer = 'lintel', outputs }: GpioOutputsOptions) {
    this.#lines = new Map(
      Object.entries(outputs).map(([name, output]) => [
        name,
        new OutputLine(name, { calls, chip, clock, consumer, output }),
      ]),
    );
    this.#health = joinHealth([...this.#lines.values()].map(({ health }) => health));
  }

  energize(output: string, pulse_ms: number | null): void {
    this.#line(output).energize(output, pulse_ms);
  }

  release(output: string): void {
    this.#line(output).release(output);
  }

  faultOf(output: string): string | null {
    const line = this.#lines.get(output);
    return line === undefined ? NO_LINE : line.faultOf(output);
  }

  onFault(listener: FaultListener): void {
    this.#health.onFault(listener);
  }

  /** All off, and the lines are free. */
  close(): void {
    for (const line of this.#lines.values()) line.close();
  }

  #line(output: string): OutputLine {
    const line = this.#lines.get(output);
    if (line === undefined) throw new OutputError(NO_LINE);
    return line;
  }
}
