import { InputLinesBase } from '../base/input-lines-base.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { DeviceCalls } from '@lintel/service/linux/device-calls';
import { linuxCalls } from '@lintel/service/linux/linux-calls';
import { joinHealth } from '../part-health/joined-health.ts';
import { ReconnectingPart } from '../part-health/reconnecting-part.ts';
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
export class GpioInputs extends InputLinesBase {
  readonly #options: GpioInputsOptions;
  readonly #lines: readonly ReconnectingPart<InputLine>[];

  constructor(options: GpioInputsOptions) {
    super();
    this.#options = options;
    const all = Object.entries(options.inputs).map(([name, input]) => {
      const health = new PartHealth();
      return { health, line: this.#keep(name, input, health) };
    });
    this.#lines = all.map(({ line }) => line);
    joinHealth(
      all.map(({ health }) => health),
      this.health,
    );
    for (const line of this.#lines) line.start();
  }

  close(): void {
    for (const line of this.#lines) line.stop();
  }

  #keep(name: string, input: GpioInput, health: PartHealth): ReconnectingPart<InputLine> {
    const { calls = linuxCalls, chip, clock, consumer = 'lintel' } = this.#options;
    const told = (isActive: boolean): void => this.report(name, isActive ? 'active' : 'inactive');
    const kept: ReconnectingPart<InputLine> = new ReconnectingPart<InputLine>({
      clock,
      health,
      open: () =>
        new InputLine({ calls, chip, clock, input, consumer, told, failed: (error: Error) => kept.failed(error) }),
      // Twice a second the level itself: an edge that was missed corrects itself.
      look: line => line.look(),
      close: line => line.close(),
      opened: line => line.start(),
      lost: () => this.report(name, 'unknown'),
    });
    return kept;
  }
}
