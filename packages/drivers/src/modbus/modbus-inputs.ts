import { InputLinesBase } from '../base/input-lines-base.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import { debounceLevel, type DebouncedLevel, createDebouncedLevel } from '../gpio/debounced-level.ts';
import type { ModbusBus } from './modbus-bus.ts';
import { ModbusPoll } from './modbus-poll.ts';

export interface ModbusInput {
  /** Counted from 0. */
  readonly input: number;
  readonly active_low?: boolean;
  /** Must be longer than the poll interval; shorter changes are not detected. */
  readonly debounce_ms?: number;
}

export interface ModbusInputsOptions {
  readonly bus: ModbusBus;
  readonly clock: MonotonicClock;
  readonly unit: number;
  readonly inputs: Readonly<Record<string, ModbusInput>>;
  readonly poll_ms?: number;
}

const POLL_MS = 50;

/** Contacts and buttons of a board on a Modbus line. */
export class ModbusInputs extends InputLinesBase {
  readonly #options: ModbusInputsOptions;
  readonly #poll: ModbusPoll;
  readonly #settling = new Map<string, DebouncedLevel>();

  constructor(options: ModbusInputsOptions) {
    super();
    this.#options = options;
    const { bus, clock, inputs, unit, poll_ms = POLL_MS } = options;
    const numbers = Object.values(inputs).map(({ input }) => input);
    const first = Math.min(...numbers);
    this.#poll = new ModbusPoll({
      bus,
      clock,
      unit,
      every_ms: poll_ms,
      health: this.health,
      read: board => board.readInputs(first, Math.max(...numbers) - first + 1),
      answered: values => this.#take(number => values[number - first] === true),
      healed: () => undefined,
      lost: () => this.#lost(),
    });
  }

  close(): void {
    this.#poll.stop();
  }

  #take(isHigh: (number: number) => boolean): void {
    const now = this.#options.clock.now();
    for (const [name, { input, active_low, debounce_ms }] of Object.entries(this.#options.inputs)) {
      const isActive = isHigh(input) !== (active_low === true);
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
