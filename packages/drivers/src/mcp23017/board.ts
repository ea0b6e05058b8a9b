import type { I2cRegisterBus } from '@lintel/service/linux/i2c';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { InputLinesBase, createDebouncedLevel, debounceLevel, type DebouncedLevel } from '../base/input-lines-base.ts';
import { BoardPoller } from '../part-health/board-poller.ts';
import type { RelayLink } from '../relay-boards/confirmed-relays.ts';
import { BusRequestQueue } from '../request-queue/request-queue.ts';

/* Port expander with 16 lines. Registers in pairs for the lines 0 to 7 (A) and 8 to 15 (B), with the values after power-up. */
const DIRECTION = 0x00;
const PULL_UP = 0x0c;
const LEVEL = 0x12;
const LATCH = 0x14;

/** The lines of an MCP23017, one bit for each. */
export class Mcp23017 {
  readonly #bus: I2cRegisterBus;
  readonly #address: number;
  /** The lines that are outputs, and the levels at which they are off. */
  readonly #outputs: number;
  readonly #offLevels: number;
  readonly #inputs: number;

  constructor(bus: I2cRegisterBus, address: number, lines: { outputs: number; offLevels: number; inputs: number }) {
    this.#bus = bus;
    this.#address = address;
    this.#outputs = lines.outputs;
    this.#offLevels = lines.offLevels & lines.outputs;
    this.#inputs = lines.inputs;
  }

  /** The levels of all lines. Sets the chip up first if it has lost power since the last call: then all lines are inputs. */
  readLevels(): number {
    this.#ensureSetUp();
    return this.#read(LEVEL);
  }

  /** Sets one output and returns the levels of all lines afterwards. */
  writeLevel(line: number, isHigh: boolean): number {
    this.#ensureSetUp();
    const latch = this.#read(LATCH);
    const bit = 1 << line;
    // Writing the levels sets the latch.
    this.#write(LEVEL, isHigh ? latch | bit : latch & ~bit);
    return this.#read(LEVEL);
  }

  #ensureSetUp(): void {
    const inputs = 0xffff & ~this.#outputs;
    if (this.#read(DIRECTION) === inputs && this.#read(PULL_UP) === this.#inputs) return;
    this.#write(PULL_UP, this.#inputs);
    // The levels come first, so that no relay switches on for a moment.
    this.#write(LATCH, this.#offLevels);
    this.#write(DIRECTION, inputs);
  }

  #read(register: number): number {
    return this.#bus.readWord(this.#address, register);
  }

  #write(register: number, value: number): void {
    this.#bus.writeWord(this.#address, register, value & 0xffff);
  }
}

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

interface Mcp23017InputsOptions {
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
