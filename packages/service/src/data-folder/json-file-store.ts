import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InPlaceFile } from './in-place-file.ts';
import { writePrivateFile } from './private-file.ts';
import { type KeyValueStore, KeyValueStoreError } from './key-value-store.ts';

/** One JSON file for each key. */
export class JsonFileStore<Key extends string> implements KeyValueStore<Key> {
  readonly #folder: string;
  readonly #inPlace: readonly Key[];

  /** `inPlace`: keys that can also be written when the disk is full. */
  constructor(folder: string, inPlace: readonly Key[] = []) {
    this.#folder = folder;
    this.#inPlace = inPlace;
  }

  #path(key: Key): string {
    return join(this.#folder, `${key}.json`);
  }

  #inPlacePath(key: Key): string {
    return join(this.#folder, `${key}.slots`);
  }

  read(key: Key): unknown {
    try {
      const inPlace = this.#inPlace.includes(key) ? new InPlaceFile(this.#inPlacePath(key)).read() : null;
      return JSON.parse(inPlace ?? readFileSync(this.#path(key), 'utf8'));
    } catch {
      return undefined;
    }
  }

  write(key: Key, value: unknown): void {
    try {
      if (this.#inPlace.includes(key)) new InPlaceFile(this.#inPlacePath(key)).write(JSON.stringify(value));
      else writePrivateFile(this.#path(key), JSON.stringify(value));
    } catch (error) {
      throw new KeyValueStoreError(`Cannot save ${key}`, { cause: error });
    }
  }
}
