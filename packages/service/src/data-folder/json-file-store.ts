import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from './private-file.ts';
import { type KeyValueStore, KeyValueStoreError } from './key-value-store.ts';

/** One JSON file for each key. */
export class JsonFileStore<Key extends string> implements KeyValueStore<Key> {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  #path(key: Key): string {
    return join(this.#folder, `${key}.json`);
  }

  read(key: Key): unknown {
    try {
      return JSON.parse(readFileSync(this.#path(key), 'utf8'));
    } catch {
      return undefined;
    }
  }

  write(key: Key, value: unknown): void {
    try {
      writePrivateFile(this.#path(key), JSON.stringify(value));
    } catch (error) {
      throw new KeyValueStoreError(`Cannot save ${key}`, { cause: error });
    }
  }
}
