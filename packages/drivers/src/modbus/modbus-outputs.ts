import { after, type Monotonic } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { FaultListener } from '../ports/part-fault.ts';
import { joinHealth } from '../part-health/joined-health.ts';
import { PartHealth } from '../part-health/part-health.ts';
import { RelayBoard } from '../relays/relay-board/relay-board.ts';
import { type ModbusBus, ModbusExceptionError, type ModbusUnit } from './modbus-bus.ts';
import { ModbusPoll } from './modbus-poll.ts';

/** How a board is told to end a pulse itself: a write to another coil, with the time instead of on or off. */
interface ModbusPulse {
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
  /** What the board said when it was to time the pulse: now it is only switched on, and released by whoever asked. */
  readonly refused?: string;
}

/** Relays of a board on a Modbus line. */
export class ModbusOutputs extends RelayBoard {
  readonly #options: ModbusOutputsOptions;
  readonly #poll: ModbusPoll;
  /** The newest for each output: what was overtaken is not sent. */
  readonly #waiting = new Map<string, Command>();
  readonly #pulsesEnd = new Map<string, Monotonic>();
  /** What the board said to the last write of an output. Reading works meanwhile, and is no proof of the contrary. */
  readonly #refusals = new Map<string, string>();
  readonly #obedience = new PartHealth();
  readonly #pulses = new PartHealth();
  readonly #allHealth: PartHealth;

  constructor(options: ModbusOutputsOptions) {
    super(Object.keys(options.outputs));
    this.#options = options;
    const { bus, clock, outputs, unit } = options;
    this.#allHealth = joinHealth([this.health, this.#obedience]);
    const coils = Object.values(outputs);
    const first = Math.min(...coils);
    this.#poll = new ModbusPoll({
      bus,
      clock,
      unit,
      every_ms: LOOK_MS,
      health: this.health,
      read: board => board.readCoils(first, Math.max(...coils) - first + 1),
      answered: values => this.#compare(name => values[outputs[name]! - first] === true),
      healed: () => this.restart(),
      lost: () => this.#waiting.clear(),
    });
    this.restart();
  }

  override faultOf(output: string): string | null {
    return super.faultOf(output) ?? this.#refusals.get(output) ?? null;
  }

  override onFault(listener: FaultListener): void {
    this.#allHealth.onFault(listener);
    this.#pulses.onFault(fault => listener(fault, 'pulse'));
  }

  /** All off. The bus belongs to others too and stays open. */
  async close(): Promise<void> {
    this.#poll.stop();
    const { bus, outputs, unit } = this.#options;
    if (this.health.fault !== null) return;
    const off = Object.values(outputs).map(coil => bus.ask(unit, 'command', board => board.writeCoil(coil, false)));
    await Promise.allSettled(off);
  }

  protected override drive(output: string, on: boolean, pulse_ms: number | null): void {
    this.#command(output, { on, pulse_ms });
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
    let command: Command | undefined;
    try {
      await bus.ask(unit, 'command', async board => {
        command = this.#waiting.get(output);
        if (command !== undefined) await this.#write(board, output, command);
      });
      if (command !== undefined) this.#obeyed(output, command);
    } catch (error) {
      if (!(error instanceof ModbusExceptionError)) return this.#poll.failed(error as Error);
      if (command !== undefined) this.#refused(output, command, error);
    }
    // One that came while this one was on its way is not done yet.
    if (this.#waiting.has(output)) await this.#send(output);
  }

  #write(board: ModbusUnit, output: string, command: Command): Promise<void> {
    const coil = this.#options.outputs[output]!;
    const pulse = this.#pulseOf(command);
    return pulse === null ? board.writeCoil(coil, command.on) : board.writeCoilValue(pulse.base + coil, pulse.units);
  }

  /** Null when the board is not asked to time this. */
  #pulseOf({ on, pulse_ms, refused }: Command): { readonly base: number; readonly units: number } | null {
    const { pulse } = this.#options;
    if (!on || pulse_ms === null || pulse === undefined || refused !== undefined) return null;
    if (this.#pulses.fault !== null) return null;
    const units = Math.max(1, Math.ceil(pulse_ms / pulse.unit_ms));
    return units > LONGEST_PULSE ? null : { base: pulse.base, units };
  }

  #obeyed(output: string, command: Command): void {
    if (this.#waiting.get(output) === command) this.#waiting.delete(output);
    if (command.refused !== undefined)
      this.#pulses.fail('broken', `${command.refused}; it cannot time a pulse: take "pulse" out of the profile`);
    this.#refusals.delete(output);
    this.#tellRefusals();
  }

  #refused(output: string, command: Command, { isOfCommand, message }: ModbusExceptionError): void {
    const isNewest = this.#waiting.get(output) === command;
    if (isOfCommand && this.#pulseOf(command) !== null) {
      if (isNewest) this.#waiting.set(output, { ...command, refused: message });
      return;
    }
    if (isNewest) this.#waiting.delete(output);
    this.#pulsesEnd.delete(output);
    this.#refusals.set(output, message);
    this.#tellRefusals();
  }

  #tellRefusals(): void {
    const [first] = this.#refusals;
    if (first === undefined) this.#obedience.heal();
    else this.#obedience.fail('broken', `${first[1]}, at output ${first[0]}`);
  }

  /** A board that has lost its power for a moment answers as if nothing had been. */
  #compare(isOn: (output: string) => boolean): void {
    const now = this.#options.clock.now();
    for (const output of Object.keys(this.#options.outputs)) {
      const isPulsing = now < (this.#pulsesEnd.get(output) ?? now);
      const isRight = isOn(output) === this.isHeld(output) && !this.#refusals.has(output);
      if (this.#waiting.has(output) || isPulsing || isRight) continue;
      this.#command(output, { on: this.isHeld(output), pulse_ms: null });
    }
  }
}
