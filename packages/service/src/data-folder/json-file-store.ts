import { join } from 'node:path';
import { readJsonOrSetAside } from './damaged-file.ts';
import { PreallocatedTextFile } from './preallocated-text-file.ts';
import { writePrivateFile } from './private-file.ts';
import { type KeyValueStore, KeyValueStoreError } from './key-value-store-interface.ts';

export interface JsonFileStoreOptions<Key extends string> {
  /** Keys that can also be written when the disk is full. */
  readonly inPlace?: readonly Key[];
  /** Called when the file of a key was damaged and set aside. */
  readonly onDamaged?: (key: Key, problem: string) => void;
}

/** One JSON file for each key. */
export class JsonFileStore<Key extends string> implements KeyValueStore<Key> {
  readonly #folder: string;
  readonly #inPlace: readonly Key[];
  readonly #onDamaged: (key: Key, problem: string) => void;

  constructor(folder: string, { inPlace = [], onDamaged = () => undefined }: JsonFileStoreOptions<Key> = {}) {
    this.#folder = folder;
    this.#inPlace = inPlace;
    this.#onDamaged = onDamaged;
  }

  #path(key: Key): string {
    return join(this.#folder, `${key}.json`);
  }

  #inPlacePath(key: Key): string {
    return join(this.#folder, `${key}.slots`);
  }

  read(key: Key): unknown {
    const inPlace = this.#inPlace.includes(key) ? new PreallocatedTextFile(this.#inPlacePath(key)).read() : null;
    if (inPlace !== null) return JSON.parse(inPlace);
    return readJsonOrSetAside(this.#path(key), problem => this.#onDamaged(key, problem));
  }

  write(key: Key, value: unknown): void {
    try {
      if (this.#inPlace.includes(key)) new PreallocatedTextFile(this.#inPlacePath(key)).write(JSON.stringify(value));
      else writePrivateFile(this.#path(key), JSON.stringify(value));
    } catch (error) {
      throw new KeyValueStoreError(`Cannot save ${key}`, { cause: error });
    }
  }
}
