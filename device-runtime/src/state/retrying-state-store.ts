import { KeyValueStoreError } from '@lintel/service/data-folder/key-value-store-interface';
import type { ControllerStateKey, ControllerStateStore } from './controller-state-keys.ts';
import type { ControllerFaultRegistry } from '../faults/controller-fault-registry.ts';

/** Keeps values that cannot be written, raises a fault, and retries. */
export class RetryingStateStore implements ControllerStateStore {
  readonly #store: ControllerStateStore;
  readonly #faults: ControllerFaultRegistry;
  readonly #unsaved = new Map<ControllerStateKey, unknown>();

  constructor(store: ControllerStateStore, faults: ControllerFaultRegistry) {
    this.#store = store;
    this.#faults = faults;
  }

  read(key: ControllerStateKey): unknown {
    return this.#unsaved.has(key) ? this.#unsaved.get(key) : this.#store.read(key);
  }

  write(key: ControllerStateKey, value: unknown): void {
    try {
      this.#store.write(key, value);
      this.#unsaved.delete(key);
      this.#faults.clear(`state:${key}`);
    } catch (error) {
      if (!(error instanceof KeyValueStoreError)) throw error;
      this.#unsaved.set(key, value);
      this.#faults.raise(`state:${key}`, error.message);
    }
  }

  /** To be called regularly. */
  retry(): void {
    for (const [key, value] of this.#unsaved) this.write(key, value);
  }
}
