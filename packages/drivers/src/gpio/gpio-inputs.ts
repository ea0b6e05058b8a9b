import type { InputLines, LineLevel } from '../ports/input-lines.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { FaultListener } from '../ports/part-fault.ts';
import type { DeviceCalls } from '@lintel/service/linux/device-calls';
import { linuxCalls } from '@lintel/service/linux/linux-calls';
import { joinHealth } from '../part-health/joined-health.ts';
import { KeptOpen } from '../part-health/kept-open.ts';
import { PartHealth } from '../part-health/part-health.ts';
import type { ChipLabels } from './gpio-chip.ts';
import { type GpioInput, InputLine } from './input-line.ts';

export interface GpioInputsOptions {
  readonly chip: ChipLabels;
  readonly inputs: Readonly<Record<string, GpioInput>>;
  readonly clock: MonotonicClock;
  readonly consumer?: string;
  readonly calls?: DeviceCalls;
}

/** Contacts, buttons and tamper switches on lines of GPIO. Each by itself: one that is taken does not cost the exit button. */
export class GpioInputs implements InputLines {
  readonly #options: GpioInputsOptions;
  readonly #levels = new Map<string, LineLevel>();
  readonly #lines: readonly KeptOpen<InputLine>[];
  readonly #health: PartHealth;
  #listener: (input: string, level: LineLevel) => void = () => undefined;

  constructor(options: GpioInputsOptions) {
    this.#options = options;
    const all = Object.entries(options.inputs).map(([name, input]) => {
      const health = new PartHealth();
      return { health, line: this.#keep(name, input, health) };
    });
    this.#lines = all.map(({ line }) => line);
    this.#health = joinHealth(all.map(({ health }) => health));
    for (const line of this.#lines) line.start();
  }

  level(input: string): LineLevel {
    return this.#levels.get(input) ?? 'unknown';
  }

  isCut(): boolean {
    return false;
  }

  onLevel(listener: (input: string, level: LineLevel) => void): void {
    this.#listener = listener;
  }

  onFault(listener: FaultListener): void {
    this.#health.onFault(listener);
  }

  close(): void {
    for (const line of this.#lines) line.stop();
  }

  #keep(name: string, input: GpioInput, health: PartHealth): KeptOpen<InputLine> {
    const { calls = linuxCalls, chip, clock, consumer = 'lintel' } = this.#options;
    const told = (isActive: boolean): void => this.#set(name, isActive ? 'active' : 'inactive');
    const kept: KeptOpen<InputLine> = new KeptOpen<InputLine>({
      clock,
      health,
      open: () =>
        new InputLine({ calls, chip, clock, input, consumer, told, failed: (error: Error) => kept.failed(error) }),
      // Twice a second the level itself: an edge that was missed corrects itself.
      look: line => line.look(),
      close: line => line.close(),
      opened: line => line.start(),
      lost: () => this.#set(name, 'unknown'),
    });
    return kept;
  }

  #set(input: string, level: LineLevel): void {
    if (this.#levels.get(input) === level) return;
    this.#levels.set(input, level);
    this.#listener(input, level);
  }
}
