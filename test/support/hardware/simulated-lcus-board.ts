import type { Pty } from '../processes/pty.ts';

/** A simulated LCUS USB relay board at the other end of a serial line, written from its data sheet. */
export class SimulatedLcusBoard {
  readonly #pty: Pty;
  readonly #answers: boolean;
  readonly #on = new Set<number>();
  readonly #activations = new Map<number, number>();
  #pending = Buffer.alloc(0);
  isSilent = false;
  /** The older type supports only the commands without an answer. */
  isOld = false;

  constructor(pty: Pty, answers: boolean) {
    this.#pty = pty;
    this.#answers = answers;
    pty.onBytes(bytes => this.#take(bytes));
  }

  isOn(channel: number): boolean {
    return this.#on.has(channel);
  }

  /** How often the relay has been switched on. */
  activations(channel: number): number {
    return this.#activations.get(channel) ?? 0;
  }

  /** Switches the relay on without a command, as a controller that crashed leaves it. */
  leaveOn(channel: number): void {
    this.#on.add(channel);
  }

  /** Power cycle: all relays are off. */
  reset(): void {
    this.#on.clear();
    this.#pending = Buffer.alloc(0);
  }

  #switchOn(channel: number): void {
    if (!this.#on.has(channel)) this.#activations.set(channel, this.activations(channel) + 1);
    this.#on.add(channel);
  }

  #take(bytes: Uint8Array): void {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    for (; this.#pending.length >= 4; this.#pending = this.#pending.subarray(4)) {
      const [start, channel, operation, check] = this.#pending;
      if (start !== 0xa0 || ((start + channel! + operation!) & 0xff) !== check) throw new Error('Invalid frame');
      if (this.isSilent || (this.isOld && operation! > 1)) continue;
      if (operation === 1 || operation === 3) this.#switchOn(channel!);
      if (operation === 0 || operation === 2) this.#on.delete(channel!);
      if (!this.#answers || operation! < 2) continue;
      const state = this.#on.has(channel!) ? 1 : 0;
      void this.#pty
        .write(Uint8Array.of(0xa0, channel!, state, (0xa0 + channel! + state) & 0xff))
        .catch(() => undefined);
    }
  }
}
