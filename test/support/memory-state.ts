import { type StateStore, StateStoreError } from '@lintel/service/data-folder/state-store';

/** State that outlives a controller but not the test, with writes that fail on request. */
export class MemoryState implements StateStore<string> {
  readonly #values = new Map<string, string>();
  isFailing = false;

  read(key: string): unknown {
    const text = this.#values.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  write(key: string, value: unknown): void {
    if (this.isFailing) throw new StateStoreError(`${key} could not be saved`);
    this.#values.set(key, JSON.stringify(value));
  }
}
