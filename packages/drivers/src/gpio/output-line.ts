import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { DeviceCalls } from '@lintel/service/linux/device-calls';
import { KeptOpen } from '../part-health/kept-open.ts';
import type { PartHealth } from '../part-health/part-health.ts';
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

const NAME = 'line';

const flagsOf = ({ active_low, drive }: GpioOutput): readonly LineFlag[] => [
  'output',
  ...(active_low === true ? (['active_low'] as const) : []),
  ...(drive === undefined || drive === 'push_pull' ? [] : [drive]),
];

/** One line that is ours, off whenever nobody says otherwise. */
export class OutputLine {
  readonly #board: RelayBoard;
  readonly #request: KeptOpen<LineRequest>;

  constructor({ calls, chip, clock, consumer, output }: OutputLineParts) {
    this.#board = new RelayBoard([NAME], (_, on) => this.#switch(on));
    this.#request = new KeptOpen<LineRequest>({
      clock,
      health: this.#board.health,
      open: () => new LineRequest(calls, chip, { offsets: [output.line], flags: flagsOf(output), consumer }),
      look: request => void request.values(),
      close: request => request.close(),
      opened: () => this.#board.restart(),
      lost: () => undefined,
    });
    this.#request.start();
  }

  get health(): PartHealth {
    return this.#board.health;
  }

  energize(pulse_ms: number | null): void {
    this.#board.energize(NAME, pulse_ms);
  }

  release(): void {
    this.#board.release(NAME);
  }

  close(): void {
    try {
      this.#request.part?.set([false]);
    } catch {
      // The chip has gone, and its relay with it.
    }
    this.#request.stop();
  }

  #switch(on: boolean): void {
    if (this.#request.part === null) throw new Error('the GPIO chip is not there');
    this.#request.part.set([on]);
  }
}
