import { InputLinesBase } from '../base/input-lines-base.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { debounceLevel, type DebouncedLevel, createDebouncedLevel } from '../gpio/debounced-level.ts';
import { BoardPoller } from '../part-health/board-poller.ts';
import { isModbusResponseError, type ModbusBus } from './modbus-bus.ts';
import { type ModbusInputSource, readModbusInputSources } from './read-input-sources.ts';

export interface ModbusInputConfig {
  readonly source: ModbusInputSource;
  readonly active_low?: boolean;
  /** Must be longer than the poll interval; shorter changes are not detected. */
  readonly debounce_ms?: number;
}

export interface ModbusInputsOptions {
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
