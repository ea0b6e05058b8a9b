import { InputLinesBase } from '../base/input-lines-base.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';
import { linuxSystemCalls } from '@lintel/service/linux/linux-device-system-calls';
import { combinePartHealth } from '../part-health/combined-health.ts';
import { ReconnectingPart } from '../part-health/reconnecting-part.ts';
import { PartHealth } from '../part-health/part-health.ts';
import type { GpioChipLabels } from './gpio-chip.ts';
import { type GpioInputConfig, GpioInputLine } from './input-line.ts';

export interface GpioInputsOptions {
  readonly chip: GpioChipLabels;
  readonly inputs: Readonly<Record<string, GpioInputConfig>>;
  readonly clock: MonotonicClock;
  readonly calls?: DeviceSystemCalls;
}

/**
 * Contacts, buttons and tamper switches on GPIO lines. Each line is requested separately, so that a line in use by
 * another program does not disable the exit button.
 */
export class GpioInputs extends InputLinesBase {
  readonly #options: GpioInputsOptions;
  readonly #lines: readonly ReconnectingPart<GpioInputLine>[];

  constructor(options: GpioInputsOptions) {
    super();
    this.#options = options;
    const all = Object.entries(options.inputs).map(([name, input]) => {
      const health = new PartHealth();
      return { health, line: this.#createLine(name, input, health) };
    });
    this.#lines = all.map(({ line }) => line);
    combinePartHealth(
      all.map(({ health }) => health),
      this.health,
    );
    for (const line of this.#lines) line.start();
  }

  close(): void {
    for (const line of this.#lines) line.stop();
  }

  #createLine(name: string, input: GpioInputConfig, health: PartHealth): ReconnectingPart<GpioInputLine> {
    const { calls = linuxSystemCalls, chip, clock } = this.#options;
    const onChange = (isActive: boolean): void => this.report(name, isActive ? 'active' : 'inactive');
    const part: ReconnectingPart<GpioInputLine> = new ReconnectingPart<GpioInputLine>({
      clock,
      health,
      open: () =>
        new GpioInputLine({
          calls,
          chip,
          clock,
          input,
          onChange,
          onFailure: (error: Error) => part.reportFailure(error),
        }),
      // Reads the level twice a second, so that a missed edge is corrected.
      check: line => line.check(),
      close: line => line.close(),
      onOpened: line => line.start(),
      onLost: () => this.report(name, 'unknown'),
    });
    return part;
  }
}
