import type { Pty } from '../processes/pty.ts';

/** A USB relay of the LCUS type at the far end of a line, written from its sheet. */
export class LcusBoard {
  readonly #pty: Pty;
  readonly #answers: boolean;
  readonly #on = new Set<number>();
  #kept = Buffer.alloc(0);
  isDeaf = false;
  /** The older type knows on and off, and nothing that is answered. */
  isOld = false;

  constructor(pty: Pty, answers: boolean) {
    this.#pty = pty;
    this.#answers = answers;
    pty.onBytes(bytes => this.#take(bytes));
  }

  isOn(channel: number): boolean {
    return this.#on.has(channel);
  }

  /** As somebody left it who did not come to switch it off. */
  leaveOn(channel: number): void {
    this.#on.add(channel);
  }

  /** The power came back: all relays fall. */
  reset(): void {
    this.#on.clear();
    this.#kept = Buffer.alloc(0);
  }

  #take(bytes: Uint8Array): void {
    this.#kept = Buffer.concat([this.#kept, bytes]);
    for (; this.#kept.length >= 4; this.#kept = this.#kept.subarray(4)) {
      const [start, channel, operation, check] = this.#kept;
      if (start !== 0xa0 || ((start + channel! + operation!) & 0xff) !== check) throw new Error('not a frame');
      if (this.isDeaf || (this.isOld && operation! > 1)) continue;
      if (operation === 1 || operation === 3) this.#on.add(channel!);
      if (operation === 0 || operation === 2) this.#on.delete(channel!);
      if (!this.#answers || operation! < 2) continue;
      const state = this.#on.has(channel!) ? 1 : 0;
      void this.#pty
        .write(Uint8Array.of(0xa0, channel!, state, (0xa0 + channel! + state) & 0xff))
        .catch(() => undefined);
    }
  }
}
