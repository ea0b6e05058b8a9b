import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { PartFaultListener } from '../interfaces/part-fault.ts';
import { BoardPoller } from '../part-health/board-poller.ts';
import { combinePartHealth } from '../part-health/combined-health.ts';
import { PartHealth } from '../part-health/part-health.ts';
import { RelayBoardBase } from './relay-board-base.ts';

/** The connection to a relay board that confirms commands. `Board` is what a request gets to work with. */
export interface RelayLink<Board> {
  /** Runs when the connection is free, commands before polls. Rejects if the board does not confirm. */
  request<T>(urgency: 'command' | 'poll', question: (board: Board) => Promise<T>): Promise<T>;
  /** The state of each output. */
  read(board: Board): Promise<(output: string) => boolean>;
  write(board: Board, output: string, on: boolean): Promise<void>;
  /** Null if the board cannot time a pulse of this length. Absent if it times none. */
  pulse?(pulse_ms: number): ((board: Board, output: string) => Promise<void>) | null;
  /** The board responded, but not as it should. */
  isBroken(error: Error): boolean;
  /** The output itself failed, so another command for it would fail too. */
  isFailureOfOutput(error: Error): boolean;
  onConnectionFault?(listener: PartFaultListener): void;
}

interface ConfirmedRelaysOptions<Board> {
  readonly clock: MonotonicClock;
  readonly outputs: readonly string[];
  readonly link: RelayLink<Board>;
  /** How often the board is asked for the state of its relays. */
  readonly look_ms?: number;
}

const LOOK_MS = 500;
/** The pulse of the caller has ended by then. */
const LATE_RELEASE_MS = 2_000;

interface Command {
  readonly on: boolean;
  readonly pulse_ms: number | null;
  /** Why the board did not confirm a timed pulse. The output is only switched on then, and the caller must release it. */
  readonly refused?: string;
}

/** Relays of a board that confirms commands. An output counts as switched only when the board has confirmed it. */
export class ConfirmedRelays<Board> extends RelayBoardBase {
  readonly #options: ConfirmedRelaysOptions<Board>;
  readonly #poll: BoardPoller<(output: string) => boolean>;
  /** The latest command per output; superseded commands are not sent. */
  readonly #waiting = new Map<string, Command>();
  readonly #pulsesEnd = new Map<string, MonotonicTime>();
  /** The error of the last write per output. A successful read does not clear it. */
  readonly #refusals = new Map<string, string>();
  readonly #obedience = new PartHealth();
  readonly #pulses = new PartHealth();
  readonly #allHealth: PartHealth;

  constructor(options: ConfirmedRelaysOptions<Board>) {
    super(options.outputs);
    this.#options = options;
    const { link, clock, look_ms = LOOK_MS } = options;
    this.#allHealth = combinePartHealth([this.health, this.#obedience]);
    this.#poll = new BoardPoller({
      clock,
      every_ms: look_ms,
      health: this.health,
      read: () => link.request('poll', board => link.read(board)),
      isBroken: error => link.isBroken(error),
      onConnectionFault: listener => link.onConnectionFault?.(listener),
      answered: isOn => this.#compare(isOn),
      healed: () => this.restart(),
      lost: () => this.#waiting.clear(),
    });
    this.restart();
  }

  override faultOf(output: string): string | null {
    return super.faultOf(output) ?? this.#refusals.get(output) ?? null;
  }

  override onFault(listener: PartFaultListener): void {
    this.#allHealth.onFault(listener);
    this.#pulses.onFault(fault => listener(fault, 'pulse'));
  }

  /** Another part of the same board fails: the outputs are not used until the board has answered again. */
  distrust(reason: string): void {
    this.#poll.failed(new Error(reason));
  }

  /** Switches all outputs off. The connection stays open. */
  async close(): Promise<void> {
    this.#poll.stop();
    const { link, outputs } = this.#options;
    if (this.health.fault !== null) return;
    const off = outputs.map(output => link.request('command', board => link.write(board, output, false)));
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
    const { link } = this.#options;
    let command: Command | undefined;
    try {
      await link.request('command', async board => {
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

  #write(board: Board, output: string, command: Command): Promise<void> {
    const pulse = this.#pulseOf(command);
    return pulse === null ? this.#options.link.write(board, output, command.on) : pulse(board, output);
  }

  /** Null if the board does not time this pulse. */
  #pulseOf({ on, pulse_ms, refused }: Command): ReturnType<NonNullable<RelayLink<Board>['pulse']>> {
    if (!on || pulse_ms === null || refused !== undefined || this.#pulses.fault !== null) return null;
    return this.#options.link.pulse?.(pulse_ms) ?? null;
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
    if (!this.#options.link.isFailureOfOutput(error) && this.#pulseOf(command) !== null) {
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
    for (const output of this.#options.outputs) {
      const isPulsing = now < (this.#pulsesEnd.get(output) ?? now);
      const isRight = isOn(output) === this.isHeld(output) && !this.#refusals.has(output);
      if (this.#waiting.has(output) || isPulsing || isRight) continue;
      this.#command(output, { on: this.isHeld(output), pulse_ms: null });
    }
  }
}
