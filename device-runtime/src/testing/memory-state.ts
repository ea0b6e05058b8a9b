import { type StateKey, type StateStore, StateStoreFailure } from '../ports/state-store.ts';

/** State that outlives a controller but not the test, with writes that fail on request. */
export class MemoryState implements StateStore {
  readonly #values = new Map<StateKey, string>();
  isFailing = false;

  read(key: StateKey): unknown {
    const text = this.#values.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  write(key: StateKey, value: unknown): void {
    if (this.isFailing) throw new StateStoreFailure(`${key} could not be saved`);
    this.#values.set(key, JSON.stringify(value));
  }
}
