import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

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

const parseKeyFile = (text: string, file: string): KeyFile => {
  const parsed = JSON.parse(text) as Partial<KeyFile>;
  const current = parsed.current;
  if (typeof current !== 'number' || typeof parsed.keys?.[String(current)] !== 'string') {
    throw new Error(`Invalid key file ${file}: the current key is missing`);
  }
  return { current, keys: parsed.keys };
};

/** Writes a new file and renames it, so that a power cut never leaves a partial file. */
const save = (file: string, content: KeyFile): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const newFile = `${file}.new`;
  writeFileSync(newFile, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(newFile, file);
  chmodSync(file, 0o600);
};

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

  static open(dataDir: string): MasterKeys {
    const file = join(dataDir, 'master-keys.json');
    if (!existsSync(file)) save(file, { current: 1, keys: { 1: randomBytes(KEY_BYTES).toString('base64') } });
    return new MasterKeys(file, parseKeyFile(readFileSync(file, 'utf8'), file));
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
      this.#content = parseKeyFile(readFileSync(this.#file, 'utf8'), this.#file);
    }
    const master = this.#content.keys[version];
    if (master === undefined) throw new Error(`Master key ${version} is missing in ${this.#file}`);
    const bytes = Buffer.from(master, 'base64');
    const keys = { version, sealing: deriveKey(bytes, 'seal'), blinding: deriveKey(bytes, 'blind-index') };
    this.#derived.set(version, keys);
    return keys;
  }

  /** Adds a key and makes it the current one. Keeps the old keys. */
  addVersion(): number {
    const version = Math.max(...this.versions) + 1;
    const keys = { ...this.#content.keys, [version]: randomBytes(KEY_BYTES).toString('base64') };
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
