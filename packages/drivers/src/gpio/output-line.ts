import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';
import { ReconnectingPart } from '../part-health/reconnecting-part.ts';
import { RelayBoardBase } from '../relays/relay-board/relay-board-base.ts';
import type { GpioLineFlag } from './gpio-abi.ts';
import type { GpioChipLabels } from './gpio-chip.ts';
import { GpioLineRequest } from './line-request.ts';

export interface GpioOutputConfig {
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
export class GpioOutputLine extends RelayBoardBase {
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
