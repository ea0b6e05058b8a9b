import { type KeyValueStore, KeyValueStoreError } from '@lintel/service/data-folder/key-value-store-interface';

/** A state store in memory, with writes that fail on request. */
export class MemoryState implements KeyValueStore<string> {
  readonly #values = new Map<string, string>();
  isFailing = false;

  read(key: string): unknown {
    const text = this.#values.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  write(key: string, value: unknown): void {
    if (this.isFailing) throw new KeyValueStoreError(`${key} could not be saved`);
    this.#values.set(key, JSON.stringify(value));
  }
}
