import { acceptFrameNumber, emptyReplayWindow, type ReplayWindow } from '@lintel/wire-protocol/mqtt/replay-window';
import type { ReplayWindowStore } from './replay-window-store-interface.ts';

/**
 * Which of the organization's revocations have arrived. They are numbered without a gap, so a missing number was
 * withheld from this device. A saved state that is too old costs one unnecessary request.
 */
export class ReceivedRevocations {
  readonly #windows: ReplayWindowStore;
  #organization = '';
  #window: ReplayWindow = emptyReplayWindow;

  constructor(windows: ReplayWindowStore) {
    this.#windows = windows;
    const saved = windows.read();
    if (saved === null) return;
    this.#organization = saved.owner;
    this.#window = saved.window;
  }

  of(organizationId: string): this {
    if (organizationId !== this.#organization) [this.#organization, this.#window] = [organizationId, emptyReplayWindow];
    return this;
  }

  get highest(): number {
    return this.#window.highest;
  }

  add(number: number): void {
    this.#window = acceptFrameNumber(this.#window, number) ?? this.#window;
  }

  /** The active snapshot contains all up to this one. */
  settleUpTo(number: number): void {
    const { highest, missing } = this.#window;
    this.#window = { highest: Math.max(highest, number), missing: missing.filter(missed => missed > number) };
  }

  /** The bridge continues from here: its database was restored from a backup. */
  restartAt(number: number): void {
    this.#window = { highest: number, missing: [] };
  }

  isMissingUpTo(number: number): boolean {
    const { highest, missing } = this.#window;
    return highest < number || missing.some(missed => missed <= number);
  }

  save(): void {
    this.#windows.write({ owner: this.#organization, window: this.#window });
  }
}
