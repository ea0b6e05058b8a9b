import { StateStoreError } from '@lintel/service/data-folder/state-store';
import type { StateKey, StateStore } from './state-store.ts';
import type { ControllerFaults } from '../faults/fault-registry.ts';

/** A door does not stop because a small file cannot be written: the fault is told, and it is tried again until it can. */
export class RetryingStateStore implements StateStore {
  readonly #store: StateStore;
  readonly #faults: ControllerFaults;
  readonly #unsaved = new Map<StateKey, unknown>();

  constructor(store: StateStore, faults: ControllerFaults) {
    this.#store = store;
    this.#faults = faults;
  }

  read(key: StateKey): unknown {
    return this.#unsaved.has(key) ? this.#unsaved.get(key) : this.#store.read(key);
  }

  write(key: StateKey, value: unknown): void {
    try {
      this.#store.write(key, value);
      this.#unsaved.delete(key);
      this.#faults.clear(`state:${key}`);
    } catch (error) {
      if (!(error instanceof StateStoreError)) throw error;
      this.#unsaved.set(key, value);
      this.#faults.raise(`state:${key}`, error.message);
    }
  }

  /** Now and then: a disk may have room again. */
  retry(): void {
    for (const [key, value] of this.#unsaved) this.write(key, value);
  }
}
