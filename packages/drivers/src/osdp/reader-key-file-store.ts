import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';
import { getErrorCode } from '@lintel/service/error-code';
import { type OsdpReaderKey, OsdpReaderKeyError, type OsdpReaderKeyStore } from './reader-key-store-interface.ts';

const KEY_BYTES = 16;
const CONFIRMED = 1;
/** Not confirmed, and followed by the key of the replaced reader. */
const REPLACING = 2;
const OTHERS = 0o077;

const decoded = (path: string): OsdpReaderKey => {
  const file = openSync(path, 'r');
  try {
    if ((fstatSync(file).mode & OTHERS) !== 0)
      throw new OsdpReaderKeyError(`${path} must be readable by its owner only: chmod 600 ${path}`);
    const content = readFileSync(file);
    const mark = content[KEY_BYTES] ?? Number.NaN;
    const isComplete = mark === REPLACING ? content.length === 2 * KEY_BYTES + 1 : content.length === KEY_BYTES + 1;
    if (!isComplete || !(mark <= REPLACING))
      throw new OsdpReaderKeyError(
        `${path} is damaged: restore it from a backup, or delete it, reset the reader and pair it again on a bench`,
      );
    const key = { bytes: Uint8Array.from(content.subarray(0, KEY_BYTES)), confirmed: mark === CONFIRMED };
    return mark === REPLACING ? { ...key, previous: Uint8Array.from(content.subarray(KEY_BYTES + 1)) } : key;
  } finally {
    closeSync(file);
  }
};

/** One file per reader, readable by the owner only. Delete it to pair the reader again. */
export class OsdpReaderKeyFileStore implements OsdpReaderKeyStore {
  readonly #folder: string;
  readonly #bus: string;

  /** The bus name must be safe in a file name. */
  constructor(folder: string, bus: string) {
    this.#folder = folder;
    this.#bus = bus;
  }

  placeOf(address: number): string {
    return join(this.#folder, `osdp-${this.#bus}-${address}.key`);
  }

  read(address: number): OsdpReaderKey | null {
    const path = this.placeOf(address);
    try {
      return decoded(path);
    } catch (error) {
      if (error instanceof OsdpReaderKeyError) throw error;
      if (getErrorCode(error) === 'ENOENT') return null;
      throw new OsdpReaderKeyError(`${path} cannot be read`, { cause: error });
    }
  }

  write(address: number, { bytes, confirmed, previous }: OsdpReaderKey): void {
    const path = this.placeOf(address);
    try {
      const content =
        previous === undefined ? [...bytes, confirmed ? CONFIRMED : 0] : [...bytes, REPLACING, ...previous];
      writePrivateFile(path, Uint8Array.from(content));
    } catch (error) {
      throw new OsdpReaderKeyError(`${path} cannot be written`, { cause: error });
    }
  }
}
