import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { FaultListener } from '../ports/part-fault.ts';
import { combineHealth } from '../part-health/combined-health.ts';
import { PartHealth } from '../part-health/part-health.ts';
import { RelayBoard } from '../relays/relay-board/relay-board.ts';
import { type ModbusBus, ModbusExceptionError, type ModbusUnit } from './modbus-bus.ts';
import { ModbusPoll } from './modbus-poll.ts';

/** How the board times a pulse itself: a write to another coil with the duration instead of on or off. */
interface ModbusPulse {
  /** Offset added to the coil number; 512 on Waveshare boards. */
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
/** The pulse of the caller has ended by then. */
const LATE_RELEASE_MS = 2_000;

interface Command {
  readonly on: boolean;
  readonly pulse_ms: number | null;
  /**
   * Why the board did not confirm a timed pulse. The output is only switched on then, and the caller must release it.
   */
  readonly refused?: string;
}

/** Relays of a board on a Modbus line. */
export class ModbusOutputs extends RelayBoard {
  readonly #options: ModbusOutputsOptions;
  readonly #poll: ModbusPoll;
  /** The latest command per output; superseded commands are not sent. */
  readonly #waiting = new Map<string, Command>();
  readonly #pulsesEnd = new Map<string, MonotonicTime>();
  /** The error of the last write per output. A successful read does not clear it. */
  readonly #refusals = new Map<string, string>();
  readonly #obedience = new PartHealth();
  readonly #pulses = new PartHealth();
  readonly #allHealth: PartHealth;

  constructor(options: ModbusOutputsOptions) {
    super(Object.keys(options.outputs));
    this.#options = options;
    const { bus, clock, outputs, unit } = options;
    this.#allHealth = combineHealth([this.health, this.#obedience]);
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

  /** Another part of the same board fails: the outputs are not used until the board has answered again. */
  distrust(reason: string): void {
    this.#poll.failed(new Error(reason));
  }

  /** Switches all outputs off. The bus is shared and stays open. */
  async close(): Promise<void> {
    this.#poll.stop();
    const { bus, outputs, unit } = this.#options;
    if (this.health.fault !== null) return;
    const off = Object.values(outputs).map(coil => bus.request(unit, 'command', board => board.writeCoil(coil, false)));
    await Promise.allSettled(off);
  }

  protected override drive(output: string, on: boolean, pulse_ms: number | null): void {
    this.#command(output, { on, pulse_ms });
  }

  #command(output: string, command: Command): void {
    const { clock } = this.#options;
    if (command.on && command.pulse_ms !== null)
      this.#pulsesEnd.set(output, addMilliseconds(clock.now(), command.pulse_ms + LATE_RELEASE_MS));
    else this.#pulsesEnd.delete(output);
    const isQueued = this.#waiting.has(output);
    this.#waiting.set(output, command);
    if (!isQueued) void this.#send(output);
  }

  async #send(output: string): Promise<void> {
    const { bus, unit } = this.#options;
    let command: Command | undefined;
    try {
      await bus.request(unit, 'command', async board => {
        command = this.#waiting.get(output);
        if (command !== undefined) await this.#write(board, output, command);
      });
      if (command !== undefined) this.#obeyed(output, command);
    } catch (error) {
      if (command === undefined) this.#poll.failed(error as Error);
      else this.#unconfirmed(output, command, error as Error);
    }
    // A newer command arrived during this write and is still pending.
    if (this.#waiting.has(output)) await this.#send(output);
  }

  #write(board: ModbusUnit, output: string, command: Command): Promise<void> {
    const coil = this.#options.outputs[output]!;
    const pulse = this.#pulseOf(command);
    return pulse === null ? board.writeCoil(coil, command.on) : board.writeCoilValue(pulse.base + coil, pulse.units);
  }

  /** Null if the board does not time this pulse. */
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
      this.#pulses.fail(
        'broken',
        `${command.refused}. The board does not confirm timed pulses: remove "pulse" from the profile`,
      );
    this.#refusals.delete(output);
    this.#tellRefusals();
  }

  /**
   * The board refused the command or did not confirm it. A pulse is replaced by on and off. Otherwise the output has a
   * fault until a write is confirmed: a board that answers reads only would look healthy.
   */
  #unconfirmed(output: string, command: Command, error: Error): void {
    const isNewest = this.#waiting.get(output) === command;
    const isFinal = error instanceof ModbusExceptionError && !error.isOfCommand;
    if (!isFinal && this.#pulseOf(command) !== null) {
      if (isNewest) this.#waiting.set(output, { ...command, refused: error.message });
      return;
    }
    if (isNewest) this.#waiting.delete(output);
    this.#pulsesEnd.delete(output);
    this.#refusals.set(output, error.message);
    this.#tellRefusals();
  }

  #tellRefusals(): void {
    const [first] = this.#refusals;
    if (first === undefined) this.#obedience.clear();
    else this.#obedience.fail('broken', `${first[1]}, at output ${first[0]}`);
  }

  /** After a short power loss the board responds as if nothing had happened. */
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
