import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { getErrorCode } from '@lintel/service/error-code';
import { DigestKeyError, type DigestKeySource } from './digest-key-source-interface.ts';

const KEY_BYTES = 32;
const GROUP_AND_OTHERS = 0o077;

const createKey = (path: string): Uint8Array => {
  const key = randomBytes(KEY_BYTES);
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, key);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return key;
};

const readKey = (path: string): Uint8Array => {
  const file = openSync(path, 'r');
  try {
    if ((fstatSync(file).mode & GROUP_AND_OTHERS) !== 0)
      throw new DigestKeyError(`${path} must be readable by its owner only`);
    const key = readFileSync(file);
    if (key.length !== KEY_BYTES) throw new DigestKeyError(`${path} is damaged`);
    return key;
  } finally {
    closeSync(file);
  }
};

/** Keeps the key in a file. A stolen disk reveals the PINs, unlike a key in hardware. */
export class DigestKeyFile implements DigestKeySource {
  readonly storage = 'file';
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  read(): Uint8Array {
    try {
      return readKey(this.#path);
    } catch (error) {
      if (error instanceof DigestKeyError) throw error;
      if (getErrorCode(error) !== 'ENOENT') throw new DigestKeyError(`${this.#path} cannot be read`, { cause: error });
    }
    try {
      return createKey(this.#path);
    } catch (error) {
      throw new DigestKeyError(`${this.#path} cannot be written`, { cause: error });
    }
  }
}
