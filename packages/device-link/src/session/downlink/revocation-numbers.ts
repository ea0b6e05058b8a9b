import { acceptNumber, freshWindow, type ReplayWindow } from '@lintel/wire-protocol/mqtt/replay-window';
import type { ReplayWindowStore } from './replay-window-store.ts';

/**
 * Which of the organization's revocations have arrived. They are numbered without a gap, so a missing number was
 * withheld from this device. A saved state that is too old costs one unnecessary request.
 */
export class RevocationNumbers {
  readonly #windows: ReplayWindowStore;
  #organization = '';
  #window: ReplayWindow = freshWindow;

  constructor(windows: ReplayWindowStore) {
    this.#windows = windows;
    const saved = windows.read();
    if (saved === null) return;
    this.#organization = saved.owner;
    this.#window = saved.window;
  }

  of(organizationId: string): this {
    if (organizationId !== this.#organization) [this.#organization, this.#window] = [organizationId, freshWindow];
    return this;
  }

  get highest(): number {
    return this.#window.highest;
  }

  add(number: number): void {
    this.#window = acceptNumber(this.#window, number) ?? this.#window;
  }

  /** The active snapshot contains all up to this one. */
  settleUpTo(number: number): void {
    const { highest, missing } = this.#window;
    this.#window = { highest: Math.max(highest, number), missing: missing.filter(one => one > number) };
  }

  /** The bridge continues from here: its database was restored from a backup. */
  restartAt(number: number): void {
    this.#window = { highest: number, missing: [] };
  }

  isMissingUpTo(number: number): boolean {
    const { highest, missing } = this.#window;
    return highest < number || missing.some(one => one <= number);
  }

  save(): void {
    this.#windows.write({ owner: this.#organization, window: this.#window });
  }
}
