import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { DigestKeyError, type DigestKeySource } from './digest-key-source.ts';

const KEY_BYTES = 32;
const OTHERS = 0o077;

const made = (path: string): Uint8Array => {
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

const kept = (path: string): Uint8Array => {
  const file = openSync(path, 'r');
  try {
    if ((fstatSync(file).mode & OTHERS) !== 0) throw new DigestKeyError(`${path} must be readable by its owner only`);
    const key = readFileSync(file);
    if (key.length !== KEY_BYTES) throw new DigestKeyError(`${path} is damaged`);
    return key;
  } finally {
    closeSync(file);
  }
};

/** The key in a file outside the database. Whoever has the whole disk has the PINs: boards with a chip do better. */
export class DigestKeyFile implements DigestKeySource {
  readonly keptIn = 'file';
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  read(): Uint8Array {
    try {
      return kept(this.#path);
    } catch (error) {
      if (error instanceof DigestKeyError) throw error;
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        throw new DigestKeyError(`${this.#path} cannot be read`, { cause: error });
    }
    try {
      return made(this.#path);
    } catch (error) {
      throw new DigestKeyError(`${this.#path} cannot be written`, { cause: error });
    }
  }
}
