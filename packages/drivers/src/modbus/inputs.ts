import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { InputLinesBase, debounceLevel, type DebouncedLevel, createDebouncedLevel } from '../base/input-lines-base.ts';
import { BoardPoller } from '../part-health/board-poller.ts';
import { type ModbusUnit, type ModbusRegisterKind, isModbusResponseError, type ModbusBus } from './bus.ts';

/** Where a board shows the level of an input, counted from 0. */
export type ModbusInputSource =
  | { readonly kind: 'bit'; readonly input: number }
  /** High while this bit is set; without a bit, while the register is not 0. */
  | {
      readonly kind: 'register';
      readonly table: ModbusRegisterKind;
      readonly register: number;
      readonly bit?: number | undefined;
    };

/** Reads a range that contains all numbers. */
const readRange = async <T>(
  numbers: readonly number[],
  read: (first: number, count: number) => Promise<readonly T[]>,
): Promise<(number: number) => T | undefined> => {
  if (numbers.length === 0) return () => undefined;
  const first = Math.min(...numbers);
  const values = await read(first, Math.max(...numbers) - first + 1);
  return number => values[number - first];
};

/** The levels of the sources, in their order, with at most one request for each function. */
const readModbusInputSources = async (
  board: ModbusUnit,
  sources: readonly ModbusInputSource[],
): Promise<readonly boolean[]> => {
  const registersOf = (table: ModbusRegisterKind): readonly number[] =>
    sources.flatMap(source => (source.kind === 'register' && source.table === table ? [source.register] : []));
  const inputs = sources.flatMap(source => (source.kind === 'bit' ? [source.input] : []));
  const bits = await readRange(inputs, (first, count) => board.readInputs(first, count));
  const holding = await readRange(registersOf('holding'), (first, count) =>
    board.readRegisters('holding', first, count),
  );
  const input = await readRange(registersOf('input'), (first, count) => board.readRegisters('input', first, count));
  return sources.map(source => {
    if (source.kind === 'bit') return bits(source.input) === true;
    const value = (source.table === 'holding' ? holding : input)(source.register) ?? 0;
    return source.bit === undefined ? value !== 0 : ((value >> source.bit) & 1) === 1;
  });
};

export interface ModbusInputConfig {
  readonly source: ModbusInputSource;
  readonly active_low?: boolean;
  /** Must be longer than the poll interval; shorter changes are not detected. */
  readonly debounce_ms?: number;
}

interface ModbusInputsOptions {
  readonly bus: ModbusBus;
  readonly clock: MonotonicClock;
  readonly unit: number;
  readonly inputs: Readonly<Record<string, ModbusInputConfig>>;
  readonly poll_ms?: number;
}

const POLL_MS = 50;

/** Contacts and buttons of a board on a Modbus line. */
export class ModbusInputs extends InputLinesBase {
  readonly #options: ModbusInputsOptions;
  readonly #poll: BoardPoller<readonly boolean[]>;
  readonly #settling = new Map<string, DebouncedLevel>();

  constructor(options: ModbusInputsOptions) {
    super();
    this.#options = options;
    const { bus, clock, inputs, unit, poll_ms = POLL_MS } = options;
    const sources = Object.values(inputs).map(({ source }) => source);
    this.#poll = new BoardPoller({
      clock,
      every_ms: poll_ms,
      health: this.health,
      read: () => bus.request(unit, 'poll', board => readModbusInputSources(board, sources)),
      isBroken: isModbusResponseError,
      onConnectionFault: listener => bus.onFault(listener),
      answered: levels => this.#take(levels),
      healed: () => undefined,
      lost: () => this.#lost(),
    });
  }

  close(): void {
    this.#poll.stop();
  }

  /** The levels are in the order of the inputs. */
  #take(levels: readonly boolean[]): void {
    const now = this.#options.clock.now();
    for (const [index, [name, { active_low, debounce_ms }]] of Object.entries(this.#options.inputs).entries()) {
      const isActive = levels[index] !== (active_low === true);
      const before = this.#settling.get(name) ?? createDebouncedLevel(isActive);
      const state = debounceLevel(before, isActive, debounce_ms ?? 0, now);
      this.#settling.set(name, state);
      this.report(name, state.isActive ? 'active' : 'inactive');
    }
  }

  #lost(): void {
    this.#settling.clear();
    for (const input of Object.keys(this.#options.inputs)) this.report(input, 'unknown');
  }
}
