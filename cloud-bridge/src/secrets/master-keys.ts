import { createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readRequiredFile } from '@lintel/service/data-folder/file-error';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';
import { getErrorCode } from '@lintel/service/error-code';
import { KeyMaterialError, MissingMasterKeyError } from './key-material-error.ts';

/** Keys derived from one version of the master key: one for sealing, one for blind indexes. */
export interface DerivedKeys {
  readonly version: number;
  readonly sealing: KeyObject;
  readonly blinding: KeyObject;
}

interface KeyFile {
  readonly current: number;
  readonly keys: Readonly<Record<string, string>>;
}

const KEY_BYTES = 32;

/** Returns a `KeyObject`, because an HMAC with raw key bytes is several times slower. */
const deriveKey = (master: Buffer, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', master, '', `lintel/${purpose}`, KEY_BYTES)));

const isKey = (text: unknown): boolean =>
  typeof text === 'string' && Buffer.from(text, 'base64').length === KEY_BYTES && !/[^\w+/=]/.test(text);

const parseKeyFile = (text: string, file: string): KeyFile => {
  const invalid = (reason: string): KeyMaterialError =>
    new KeyMaterialError(
      `The key file ${file} ${reason}. Restore it from a backup; without it, secrets cannot be read.`,
    );
  if (text.trim() === '') throw invalid('is empty');
  let parsed: Partial<KeyFile>;
  try {
    parsed = JSON.parse(text) as Partial<KeyFile>;
  } catch {
    throw invalid('is not well-formed JSON');
  }
  const current = parsed?.current;
  const keys = parsed?.keys ?? {};
  if (typeof current !== 'number' || keys[String(current)] === undefined) throw invalid('lacks the current key');
  const broken = Object.keys(keys).find(version => !isKey(keys[version]));
  if (broken !== undefined) throw invalid(`contains a damaged key, version ${broken}`);
  return { current, keys };
};

const newKey = (): string => randomBytes(KEY_BYTES).toString('base64');

const save = (file: string, content: KeyFile): void => writePrivateFile(file, `${JSON.stringify(content, null, 2)}\n`);

/** Never replaces a file: of two processes that start together, the second uses the key of the first. */
const createFile = (file: string, version: number): void => {
  const draft = `${file}.${process.pid}`;
  save(draft, { current: version, keys: { [version]: newKey() } });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (getErrorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
};

export const MASTER_KEY_FILE_NAME = 'master-keys.json';

export const buildMasterKeyFilePath = (dataDir: string): string => join(dataDir, MASTER_KEY_FILE_NAME);

/**
 * Master keys in a file outside the database. Old versions are kept after a rotation, so that values sealed under them can
 * still be opened.
 */
export class MasterKeys {
  readonly #file: string;
  #content: KeyFile;
  readonly #derived = new Map<number, DerivedKeys>();

  private constructor(file: string, content: KeyFile) {
    this.#file = file;
    this.#content = content;
  }

  /** Creates the file if there is none. Throws a KeyMaterialError. */
  static open(dataDir: string): MasterKeys {
    const file = buildMasterKeyFilePath(dataDir);
    if (!existsSync(file)) createFile(file, 1);
    return new MasterKeys(file, parseKeyFile(readRequiredFile(file), file));
  }

  /** Replaces the file by one with a single new key. Keeps the previous file under another name. */
  static startOver(dataDir: string, version: number, suffix: string): MasterKeys {
    const file = buildMasterKeyFilePath(dataDir);
    if (existsSync(file)) renameSync(file, `${file}.${suffix}`);
    createFile(file, version);
    return MasterKeys.open(dataDir);
  }

  get currentVersion(): number {
    return this.#content.current;
  }

  get versions(): number[] {
    return Object.keys(this.#content.keys).map(Number);
  }

  /** Reads the file again for an unknown version, because a rotation may have added it. */
  derivedKeys(version: number): DerivedKeys {
    const cached = this.#derived.get(version);
    if (cached !== undefined) return cached;
    if (this.#content.keys[version] === undefined) {
      this.#content = parseKeyFile(readRequiredFile(this.#file), this.#file);
    }
    const master = this.#content.keys[version];
    if (master === undefined) {
      throw new MissingMasterKeyError(
        `Master key ${version} is missing in ${this.#file}. Copy the file from the bridge that has it`,
      );
    }
    const bytes = Buffer.from(master, 'base64');
    const keys = { version, sealing: deriveKey(bytes, 'seal'), blinding: deriveKey(bytes, 'blind-index') };
    this.#derived.set(version, keys);
    return keys;
  }

  /** A value that proves the possession of the key and reveals nothing about it. */
  checkValue(version: number): string {
    return createHmac('sha256', this.derivedKeys(version).blinding).update('lintel key check').digest('base64url');
  }

  /** Adds a key and makes it the current one. Keeps the old keys. */
  addVersion(): number {
    const version = Math.max(...this.versions) + 1;
    const keys = { ...this.#content.keys, [version]: newKey() };
    this.#content = { current: version, keys };
    save(this.#file, this.#content);
    return version;
  }

  /** Removes a key. Call only when nothing is sealed under it. */
  removeVersion(version: number): void {
    if (version === this.#content.current) throw new Error('The current master key cannot be removed');
    const keys = Object.fromEntries(Object.entries(this.#content.keys).filter(([known]) => Number(known) !== version));
    this.#content = { current: this.#content.current, keys };
    this.#derived.delete(version);
    save(this.#file, this.#content);
  }
}
