import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';
import { linuxSystemCalls } from '@lintel/service/linux/linux-device-system-calls';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { OutputLineError, type OutputLines } from '../interfaces/output-lines.ts';
import type { PartFaultListener } from '../interfaces/part-fault.ts';
import { combinePartHealth } from '../part-health/combined-health.ts';
import type { PartHealth } from '../part-health/part-health.ts';
import { ReconnectingPart } from '../part-health/reconnecting-part.ts';
import { RelayBoardBase } from '../relay-boards/relay-board-base.ts';
import type { GpioLineFlag } from './abi.ts';
import { type GpioChipLabels, GpioLineRequest } from './line-request.ts';

interface GpioOutputConfig {
  readonly line: number;
  /** Most relay boards with optocouplers are on while their input is low. */
  readonly active_low?: boolean;
  readonly drive?: 'push_pull' | 'open_drain' | 'open_source';
}

interface OutputLineDependencies {
  readonly calls: DeviceSystemCalls;
  readonly chip: GpioChipLabels;
  readonly clock: MonotonicClock;
  readonly output: GpioOutputConfig;
}

const flagsOf = ({ active_low, drive }: GpioOutputConfig): readonly GpioLineFlag[] => [
  'output',
  ...(active_low === true ? (['active_low'] as const) : []),
  ...(drive === undefined || drive === 'push_pull' ? [] : [drive]),
];

/** One reserved output line, off by default. */
class GpioOutputLine extends RelayBoardBase {
  readonly #request: ReconnectingPart<GpioLineRequest>;

  constructor(name: string, { calls, chip, clock, output }: OutputLineDependencies) {
    super([name]);
    this.#request = new ReconnectingPart<GpioLineRequest>({
      clock,
      health: this.health,
      open: () => new GpioLineRequest(calls, chip, { offsets: [output.line], flags: flagsOf(output) }),
      check: request => void request.values(),
      close: request => request.close(),
      onOpened: () => this.restart(),
      onLost: () => undefined,
    });
    this.#request.start();
  }

  close(): void {
    try {
      this.#request.part?.set([false]);
    } catch {
      // The chip is gone, and its relay is off.
    }
    this.#request.stop();
  }

  protected override drive(_output: string, on: boolean): void {
    if (this.#request.part === null) throw new Error('The GPIO chip is missing');
    this.#request.part.set([on]);
  }
}

interface GpioOutputsOptions {
  readonly chip: GpioChipLabels;
  readonly outputs: Readonly<Record<string, GpioOutputConfig>>;
  readonly clock: MonotonicClock;
  readonly calls?: DeviceSystemCalls;
}

const NO_LINE = 'No such line';

/**
 * Relays, lights and buzzers on GPIO lines. The kernel cannot time a pulse, so the caller that started the pulse must
 * release it. Each line is requested separately, so that a buzzer in use by another program does not block the door.
 */
export class GpioOutputs implements OutputLines {
  readonly #lines: ReadonlyMap<string, GpioOutputLine>;
  readonly #health: PartHealth;

  constructor({ calls = linuxSystemCalls, chip, clock, outputs }: GpioOutputsOptions) {
    this.#lines = new Map(
      Object.entries(outputs).map(([name, output]) => [name, new GpioOutputLine(name, { calls, chip, clock, output })]),
    );
    this.#health = combinePartHealth([...this.#lines.values()].map(({ health }) => health));
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

  onFault(listener: PartFaultListener): void {
    this.#health.onFault(listener);
  }

  /** Switches all outputs off and frees the lines. */
  close(): void {
    for (const line of this.#lines.values()) line.close();
  }

  #line(output: string): GpioOutputLine {
    const line = this.#lines.get(output);
    if (line === undefined) throw new OutputLineError(NO_LINE);
    return line;
  }
}
