import type { Instant } from '@lintel/access-core/instant';
import type { SavedSequence } from './event-store.ts';
import type { ControllerStateStore } from '../state/controller-state-store.ts';

/** Numbers reserved at a time, so that none is used twice even if the event file is lost. */
const BLOCK = 400;
/** Fewer writes save the SD card. An unsaved confirmation makes a loss look larger, not smaller. */
const SAVE_EVERY_MS = 60_000;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

export const readSavedSequence = (state: ControllerStateStore): SavedSequence => {
  const saved: Partial<Record<string, unknown>> = { ...(state.read('sequence_ceiling') as object | undefined) };
  const { ceiling, confirmed, is_exact } = saved;
  return {
    ceiling: isCount(ceiling) ? ceiling : 0,
    confirmed: isCount(confirmed) ? confirmed : 0,
    isExact: is_exact === true,
  };
};

/** Allocates the sequence numbers of events. Each is used once. */
export class SequenceNumbers {
  readonly #state: ControllerStateStore;
  #last: number;
  #ceiling: number;
  #confirmed: number;
  #savedConfirmed: number;
  #savedAt: Instant | null = null;
  #areInUse = false;

  constructor(state: ControllerStateStore, last: number) {
    this.#state = state;
    this.#last = last;
    const { ceiling, confirmed } = readSavedSequence(state);
    this.#ceiling = ceiling;
    this.#confirmed = confirmed;
    this.#savedConfirmed = confirmed;
  }

  get last(): number {
    return this.#last;
  }

  next(): number {
    this.#areInUse = true;
    if (this.#last >= this.#ceiling) this.#reserve();
    return ++this.#last;
  }

  startAfter(last: number): void {
    this.#last = Math.max(this.#last, last);
  }

  /** Called after a door moved, so that the next event does not wait for a flush. */
  reserveIfLow(): void {
    if (this.#areInUse && this.#last > this.#ceiling - BLOCK / 8) this.#reserve();
  }

  /** Called when idle. */
  reserve(confirmed: number, now: Instant): void {
    this.#confirmed = Math.max(this.#confirmed, confirmed);
    this.#savedAt ??= now;
    const isLate = this.#confirmed > this.#savedConfirmed && Math.abs(now - this.#savedAt) >= SAVE_EVERY_MS;
    if (isLate) this.#savedAt = now;
    if (isLate || this.#last > this.#ceiling - BLOCK / 2) this.#reserve();
  }

  #reserve(): void {
    this.#ceiling = Math.max(this.#ceiling, this.#last + BLOCK);
    this.#save(false);
  }

  /** Saves the last used number instead of the reserved ones. */
  saveExact(confirmed: number): void {
    this.#confirmed = Math.max(this.#confirmed, confirmed);
    this.#ceiling = this.#last;
    this.#areInUse = false;
    this.#save(true);
  }

  /** Counts all used numbers as confirmed, for a new owner. */
  abandon(): void {
    this.#last = Math.max(this.#last, this.#ceiling);
    this.saveExact(this.#last);
  }

  #save(is_exact: boolean): void {
    this.#savedConfirmed = this.#confirmed;
    this.#state.write('sequence_ceiling', { ceiling: this.#ceiling, confirmed: this.#confirmed, is_exact });
  }
}
