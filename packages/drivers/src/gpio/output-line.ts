import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { DeviceCalls } from '@lintel/service/linux/device-calls';
import { ReconnectingPart } from '../part-health/reconnecting-part.ts';
import { RelayBoard } from '../relays/relay-board/relay-board.ts';
import type { LineFlag } from './gpio-abi.ts';
import type { ChipLabels } from './gpio-chip.ts';
import { LineRequest } from './line-request.ts';

export interface GpioOutput {
  readonly line: number;
  /** The relay boards with optocouplers that are sold most are on while their input is low. */
  readonly active_low?: boolean;
  readonly drive?: 'push_pull' | 'open_drain' | 'open_source';
}

interface OutputLineParts {
  readonly calls: DeviceCalls;
  readonly chip: ChipLabels;
  readonly clock: MonotonicClock;
  readonly consumer: string;
  readonly output: GpioOutput;
}

const flagsOf = ({ active_low, drive }: GpioOutput): readonly LineFlag[] => [
  'output',
  ...(active_low === true ? (['active_low'] as const) : []),
  ...(drive === undefined || drive === 'push_pull' ? [] : [drive]),
];

/** One line that is ours, off whenever nobody says otherwise. */
export class OutputLine extends RelayBoard {
  readonly #request: ReconnectingPart<LineRequest>;

  constructor(name: string, { calls, chip, clock, consumer, output }: OutputLineParts) {
    super([name]);
    this.#request = new ReconnectingPart<LineRequest>({
      clock,
      health: this.health,
      open: () => new LineRequest(calls, chip, { offsets: [output.line], flags: flagsOf(output), consumer }),
      look: request => void request.values(),
      close: request => request.close(),
      opened: () => this.restart(),
      lost: () => undefined,
    });
    this.#request.start();
  }

  close(): void {
    try {
      this.#request.part?.set([false]);
    } catch {
      // The chip has gone, and its relay with it.
    }
    this.#request.stop();
  }

  protected override drive(_output: string, on: boolean): void {
    if (this.#request.part === null) throw new Error('the GPIO chip is not there');
    this.#request.part.set([on]);
  }
}
