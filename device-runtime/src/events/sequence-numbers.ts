import type { Instant } from '@lintel/access-core/instant';
import type { SequenceMemory } from './event-store.ts';
import type { StateStore } from '../state/state-store.ts';

/** Numbers set aside at a time, so that even without the event file none is used twice. */
const BLOCK = 400;
/** Cards wear out: a confirmation that was not saved makes a loss look larger, not smaller. */
const SAVE_EVERY_MS = 60_000;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

export const readSequenceMemory = (state: StateStore): SequenceMemory => {
  const kept: Partial<Record<string, unknown>> = { ...(state.read('sequence_ceiling') as object | undefined) };
  const { ceiling, confirmed, is_exact } = kept;
  return {
    ceiling: isCount(ceiling) ? ceiling : 0,
    confirmed: isCount(confirmed) ? confirmed : 0,
    isExact: is_exact === true,
  };
};

/** The sequence of this device's events: grows by one, never used twice. */
export class SequenceNumbers {
  readonly #state: StateStore;
  #last: number;
  #ceiling: number;
  #confirmed: number;
  #savedConfirmed: number;
  #savedAt: Instant | null = null;
  #areWanted = false;

  constructor(state: StateStore, last: number) {
    this.#state = state;
    this.#last = last;
    const { ceiling, confirmed } = readSequenceMemory(state);
    this.#ceiling = ceiling;
    this.#confirmed = confirmed;
    this.#savedConfirmed = confirmed;
  }

  next(): number {
    this.#areWanted = true;
    if (this.#last >= this.#ceiling) this.#reserve();
    return ++this.#last;
  }

  startAfter(last: number): void {
    this.#last = Math.max(this.#last, last);
  }

  /** After a door has moved: the next one shall not wait for a flush of this. */
  keepAhead(): void {
    if (this.#areWanted && this.#last > this.#ceiling - BLOCK / 8) this.#reserve();
  }

  /** Ahead of need, when the door has nothing to do. */
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

  /** No more numbers are wanted for now: what is remembered is what was used, and not what might have been. */
  settle(confirmed: number): void {
    this.#confirmed = Math.max(this.#confirmed, confirmed);
    this.#ceiling = this.#last;
    this.#areWanted = false;
    this.#save(true);
  }

  /** What was used so far is nobody's loss any more. */
  disown(): void {
    this.#last = Math.max(this.#last, this.#ceiling);
    this.settle(this.#last);
  }

  #save(is_exact: boolean): void {
    this.#savedConfirmed = this.#confirmed;
    this.#state.write('sequence_ceiling', { ceiling: this.#ceiling, confirmed: this.#confirmed, is_exact });
  }
}
