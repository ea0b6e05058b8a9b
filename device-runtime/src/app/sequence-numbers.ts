import type { SequenceMemory } from '../ports/event-store.ts';
import type { StateStore } from '../ports/state-store.ts';

/** Numbers set aside at a time, so that even without the event file none is used twice. */
const BLOCK = 1_000;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

export const readSequenceMemory = (state: StateStore): SequenceMemory => {
  const kept: Partial<Record<string, unknown>> = { ...(state.read('sequence_ceiling') as object | undefined) };
  const { ceiling, confirmed } = kept;
  return { ceiling: isCount(ceiling) ? ceiling : 0, confirmed: isCount(confirmed) ? confirmed : 0 };
};

/** The sequence of this device's events: grows by one, never used twice. */
export class SequenceNumbers {
  readonly #state: StateStore;
  #last: number;
  #ceiling: number;
  #confirmed = 0;

  constructor(state: StateStore, last: number) {
    this.#state = state;
    this.#last = last;
    this.#ceiling = readSequenceMemory(state).ceiling;
  }

  next(): number {
    if (this.#last >= this.#ceiling) this.#raise();
    return ++this.#last;
  }

  startAfter(last: number): void {
    this.#last = Math.max(this.#last, last);
  }

  /** Ahead of need, when the door has nothing to do. */
  reserve(confirmed: number): void {
    this.#confirmed = confirmed;
    if (this.#last > this.#ceiling - BLOCK / 2) this.#raise();
  }

  #raise(): void {
    this.#ceiling = this.#last + BLOCK;
    this.#state.write('sequence_ceiling', { ceiling: this.#ceiling, confirmed: this.#confirmed });
  }
}
