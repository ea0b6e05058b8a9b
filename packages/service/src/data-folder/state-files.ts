import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from './private-file.ts';
import { type StateStore, StateStoreError } from './state-store.ts';

/** One JSON file for each key. */
export class StateFiles<Key extends string> implements StateStore<Key> {
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
      writePrivately(this.#path(key), JSON.stringify(value));
    } catch (error) {
      throw new StateStoreError(`${key} could not be saved`, { cause: error });
    }
  }
}
