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

  isUnreadable(key: ControllerStateKey): boolean {
    return this.#store.isUnreadable?.(key) ?? false;
  }

  write(key: ControllerStateKey, value: unknown): void {
    this.#save(key, value, () => this.#store.write(key, value));
  }

  replace(key: ControllerStateKey, value: unknown): void {
    this.#save(key, value, () => {
      if (this.#store.replace === undefined) this.#store.write(key, value);
      else this.#store.replace(key, value);
    });
  }

  #save(key: ControllerStateKey, value: unknown, save: () => void): void {
    try {
      save();
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
