import { after, type Monotonic } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '../../ports/monotonic-clock.ts';
import type { OutputLines } from '../../ports/output-lines.ts';
import type { FaultListener } from '../../ports/part-fault.ts';
import { RelayBoard } from '../relay-board/relay-board.ts';
import type { ModbusBus, ModbusUnit } from './modbus-bus.ts';
import { ModbusPoll } from './modbus-poll.ts';

/** How a board is told to end a pulse itself: a write to another coil, with the time instead of on or off. */
export interface ModbusPulse {
  /** Added to the number of the coil; 512 on the boards of Waveshare. */
  readonly base: number;
  readonly unit_ms: number;
}

export interface ModbusOutputsOptions {
  readonly bus: ModbusBus;
  readonly clock: MonotonicClock;
  /** The address of the board. */
  readonly unit: number;
  /** The coil of each output, counted from 0. */
  readonly outputs: Readonly<Record<string, number>>;
  readonly pulse?: ModbusPulse;
}

const LOOK_MS = 500;
const LONGEST_PULSE = 0x7fff;
/** Whoever started a pulse has ended it by then. */
const LATE_RELEASE_MS = 2_000;

interface Command {
  readonly on: boolean;
  readonly pulse_ms: number | null;
}

/** Relays of a board on a Modbus line. */
export class ModbusOutputs implements OutputLines {
  readonly #options: ModbusOutputsOptions;
  readonly #board: RelayBoard;
  readonly #poll: ModbusPoll;
  /** The newest for each output: what was overtaken is not sent. */
  readonly #waiting = new Map<string, Command>();
  readonly #pulsesEnd = new Map<string, Monotonic>();

  constructor(options: ModbusOutputsOptions) {
    this.#options = options;
    const { bus, clock, outputs, unit } = options;
    this.#board = new RelayBoard(Object.keys(outputs), (output, on, pulse_ms) =>
      this.#command(output, { on, pulse_ms }),
    );
    const coils = Object.values(outputs);
    const first = Math.min(...coils);
    this.#poll = new ModbusPoll({
      bus,
      clock,
      unit,
      every_ms: LOOK_MS,
      health: this.#board.health,
      read: board => board.readCoils(first, Math.max(...coils) - first + 1),
      answered: values => this.#compare(name => values[outputs[name]! - first] === true),
      healed: () => this.#board.restart(),
      lost: () => this.#waiting.clear(),
    });
    this.#board.restart();
  }

  energize(output: string, pulse_ms: number | null): void {
    this.#board.energize(output, pulse_ms);
  }

  release(output: string): void {
    this.#board.release(output);
  }

  onFault(listener: FaultListener): void {
    this.#board.onFault(listener);
  }

  /** All off. The bus belongs to others too and stays open. */
  async close(): Promise<void> {
    this.#poll.stop();
    const { bus, outputs, unit } = this.#options;
    if (this.#board.health.fault !== null) return;
    const off = Object.values(outputs).map(coil => bus.ask(unit, 'command', board => board.writeCoil(coil, false)));
    await Promise.allSettled(off);
  }

  #command(output: string, command: Command): void {
    const { clock } = this.#options;
    if (command.on && command.pulse_ms !== null)
      this.#pulsesEnd.set(output, after(clock.now(), command.pulse_ms + LATE_RELEASE_MS));
    else this.#pulsesEnd.delete(output);
    const isQueued = this.#waiting.has(output);
    this.#waiting.set(output, command);
    if (!isQueued) void this.#send(output);
  }

  async #send(output: string): Promise<void> {
    const { bus, unit } = this.#options;
    try {
      await bus.ask(unit, 'command', async board => {
        const command = this.#waiting.get(output);
        if (command !== undefined) await this.#write(board, output, command);
        // One that came while this one was on its way is not done yet.
        if (this.#waiting.get(output) === command) this.#waiting.delete(output);
      });
      if (this.#waiting.has(output)) await this.#send(output);
    } catch (error) {
      this.#poll.failed(error as Error);
    }
  }

  #write(board: ModbusUnit, output: string, { on, pulse_ms }: Command): Promise<void> {
    const coil = this.#options.outputs[output]!;
    const { pulse } = this.#options;
    if (!on || pulse_ms === null || pulse === undefined) return board.writeCoil(coil, on);
    const units = Math.max(1, Math.ceil(pulse_ms / pulse.unit_ms));
    return units > LONGEST_PULSE ? board.writeCoil(coil, true) : board.writeCoilValue(pulse.base + coil, units);
  }

  /** A board that has lost its power for a moment answers as if nothing had been. */
  #compare(isOn: (output: string) => boolean): void {
    const now = this.#options.clock.now();
    for (const output of Object.keys(this.#options.outputs)) {
      const isPulsing = now < (this.#pulsesEnd.get(output) ?? now);
      if (this.#waiting.has(output) || isPulsing || isOn(output) === this.#board.isHeld(output)) continue;
      this.#command(output, { on: this.#board.isHeld(output), pulse_ms: null });
    }
  }
}
