import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from '@lintel/device-link/identity/private-file';
import { type StateKey, type StateStore, StateStoreFailure } from '../../ports/state-store.ts';

/** One small JSON file for each key. */
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
    try {
      writePrivately(this.#path(key), JSON.stringify(value));
    } catch (error) {
      throw new StateStoreFailure(`${key} could not be saved`, { cause: error });
    }
  }
}
