import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type StateKey, type StateStore, StateStoreFailure } from '../../ports/state-store.ts';

const flushed = (path: string, text: string): void => {
  const file = openSync(path, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/** The new name is on the disk only when the folder is. */
const flushFolder = (folder: string): void => {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** One small JSON file for each key, replaced whole: written beside, flushed, then renamed. */
export class StateFiles implements StateStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  #path(key: StateKey): string {
    return join(this.#folder, `${key}.json`);
  }

  read(key: StateKey): unknown {
    try {
      return JSON.parse(readFileSync(this.#path(key), 'utf8'));
    } catch {
      return undefined;
    }
  }

  write(key: StateKey, value: unknown): void {
    const path = this.#path(key);
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      flushed(`${path}.new`, JSON.stringify(value));
      renameSync(`${path}.new`, path);
      flushFolder(this.#folder);
    } catch (error) {
      throw new StateStoreFailure(`${key} could not be saved`, { cause: error });
    }
  }
}
