import { join } from 'node:path';
import { readJsonOrSetAside, UnreadableFileError } from './damaged-file.ts';
import { PreallocatedTextFile } from './preallocated-text-file.ts';
import { writePrivateFile } from './private-file.ts';
import { type KeyValueStore, KeyValueStoreError } from './key-value-store-interface.ts';

export interface JsonFileStoreOptions<Key extends string> {
  /** Keys that can also be written when the disk is full. */
  readonly inPlace?: readonly Key[];
  /** Called when the file of a key was damaged and set aside. */
  readonly onDamaged?: (key: Key, problem: string) => void;
  /** Called when the file of a key cannot be read now. It stays as it is until the next start. */
  readonly onUnreadable?: (key: Key, problem: string) => void;
}

/** One JSON file for each key. */
export class JsonFileStore<Key extends string> implements KeyValueStore<Key> {
  readonly #folder: string;
  readonly #inPlace: readonly Key[];
  readonly #onDamaged: (key: Key, problem: string) => void;

  readonly #onUnreadable: (key: Key, problem: string) => void;
  readonly #unreadable = new Set<Key>();

  constructor(
    folder: string,
    { inPlace = [], onDamaged = () => undefined, onUnreadable = () => undefined }: JsonFileStoreOptions<Key> = {},
  ) {
    this.#folder = folder;
    this.#inPlace = inPlace;
    this.#onDamaged = onDamaged;
    this.#onUnreadable = onUnreadable;
  }

  #path(key: Key): string {
    return join(this.#folder, `${key}.json`);
  }

  #inPlacePath(key: Key): string {
    return join(this.#folder, `${key}.slots`);
  }

  read(key: Key): unknown {
    // The program has started without it, and must not change its state halfway.
    if (this.#unreadable.has(key)) return undefined;
    try {
      return this.#read(key);
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      this.#unreadable.add(key);
      this.#onUnreadable(key, error.message);
      return undefined;
    }
  }

  isUnreadable(key: Key): boolean {
    return this.#unreadable.has(key);
  }

  /** True when a file that could not be read can be read now. The next start then knows it. */
  get canReadAgain(): boolean {
    if (this.#unreadable.size === 0) return false;
    try {
      for (const key of this.#unreadable) this.#read(key);
      return true;
    } catch {
      return false;
    }
  }

  #read(key: Key): unknown {
    const inPlace = this.#inPlace.includes(key) ? new PreallocatedTextFile(this.#inPlacePath(key)).read() : null;
    if (inPlace !== null) return JSON.parse(inPlace);
    return readJsonOrSetAside(this.#path(key), problem => this.#onDamaged(key, problem));
  }

  write(key: Key, value: unknown): void {
    if (this.#unreadable.has(key)) throw new KeyValueStoreError(`Cannot save ${key}: the earlier value cannot be read`);
    this.replace(key, value);
  }

  replace(key: Key, value: unknown): void {
    try {
      if (this.#inPlace.includes(key)) new PreallocatedTextFile(this.#inPlacePath(key)).write(JSON.stringify(value));
      else writePrivateFile(this.#path(key), JSON.stringify(value));
      this.#unreadable.delete(key);
    } catch (error) {
      throw new KeyValueStoreError(`Cannot save ${key}`, { cause: error });
    }
  }
}
