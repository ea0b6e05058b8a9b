import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { InputLinesBase } from '../base/input-lines-base.ts';
import { createDebouncedLevel, debounceLevel, type DebouncedLevel } from '../gpio/debounced-level.ts';
import { BoardPoller } from '../part-health/board-poller.ts';
import { BusRequestQueue } from '../request-queue/request-queue.ts';
import type { RelayLink } from '../relays/confirmed-relays/relay-link-interface.ts';
import type { Mcp23017 } from './mcp23017.ts';

interface ExpanderLine {
  readonly line: number;
  readonly active: 'high' | 'low';
}

const isActive = ({ line, active }: ExpanderLine, levels: number): boolean =>
  (((levels >> line) & 1) === 1) === (active === 'high');

/** The chip responds, but a line does not follow. */
class StuckLineError extends Error {
  override readonly name = 'StuckLineError';
}

/** An output counts as switched when its pin has the level: a shorted pin has not. */
export const createMcp23017Link = (
  chip: Mcp23017,
  outputs: Readonly<Record<string, ExpanderLine>>,
): RelayLink<Mcp23017> => {
  const queue = new BusRequestQueue();
  return {
    request: (urgency, question) => queue.add(urgency, () => question(chip)),
    read: async board => {
      const levels = board.readLevels();
      return output => isActive(outputs[output]!, levels);
    },
    write: async (board, output, on) => {
      const line = outputs[output]!;
      const levels = board.writeLevel(line.line, on === (line.active === 'high'));
      if (isActive(line, levels) !== on) throw new StuckLineError(`Line ${line.line} is still ${on ? 'off' : 'on'}`);
    },
    isBroken: error => error instanceof StuckLineError,
    isFailureOfOutput: () => true,
  };
};

const POLL_MS = 50;

export interface Mcp23017InputsOptions {
  readonly chip: Mcp23017;
  readonly clock: MonotonicClock;
  readonly inputs: Readonly<Record<string, ExpanderLine & { readonly debounce_ms: number }>>;
}

/** Contacts and buttons on an MCP23017. */
export class Mcp23017Inputs extends InputLinesBase {
  readonly #options: Mcp23017InputsOptions;
  readonly #poll: BoardPoller<number>;
  readonly #settling = new Map<string, DebouncedLevel>();

  constructor(options: Mcp23017InputsOptions) {
    super();
    this.#options = options;
    this.#poll = new BoardPoller({
      clock: options.clock,
      every_ms: POLL_MS,
      health: this.health,
      read: async () => options.chip.readLevels(),
      isBroken: () => false,
      answered: levels => this.#take(levels),
      healed: () => undefined,
      lost: () => {
        this.#settling.clear();
        for (const input of Object.keys(options.inputs)) this.report(input, 'unknown');
      },
    });
  }

  close(): void {
    this.#poll.stop();
  }

  #take(levels: number): void {
    const { clock, inputs } = this.#options;
    const now = clock.now();
    for (const [name, input] of Object.entries(inputs)) {
      const isNow = isActive(input, levels);
      const state = debounceLevel(
        this.#settling.get(name) ?? createDebouncedLevel(isNow),
        isNow,
        input.debounce_ms,
        now,
      );
      this.#settling.set(name, state);
      this.report(name, state.isActive ? 'active' : 'inactive');
    }
  }
}
