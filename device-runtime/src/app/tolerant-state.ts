import { type StateKey, type StateStore, StateStoreFailure } from '../ports/state-store.ts';
import type { FaultBook } from './fault-book.ts';

/** A door does not stop because a small file cannot be written: the fault is told, and the next write tries again. */
export class TolerantState implements StateStore {
  readonly #store: StateStore;
  readonly #faults: FaultBook;

  constructor(store: StateStore, faults: FaultBook) {
    this.#store = store;
    this.#faults = faults;
  }

  read(key: StateKey): unknown {
    return this.#store.read(key);
  }

  write(key: StateKey, value: unknown): void {
    try {
      this.#store.write(key, value);
      this.#faults.clear(`state:${key}`);
    } catch (error) {
      if (!(error instanceof StateStoreFailure)) throw error;
      this.#faults.raise(`state:${key}`, error.message);
    }
  }
}
