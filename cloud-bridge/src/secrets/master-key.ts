import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The keys of one version, derived so that the sealing key never doubles as the index key. */
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

/** A `KeyObject`, because an HMAC with the key as bytes takes several times as long. */
const derive = (master: Buffer, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', master, '', `lintel/${purpose}`, KEY_BYTES)));

const parseKeyFile = (text: string, file: string): KeyFile => {
  const parsed = JSON.parse(text) as Partial<KeyFile>;
  const current = parsed.current;
  if (typeof current !== 'number' || typeof parsed.keys?.[String(current)] !== 'string') {
    throw new Error(`${file} is not a key file: it names no current key`);
  }
  return { current, keys: parsed.keys };
};

/** Written beside and moved into place: a power cut leaves the old keys or the new ones, never half a file. */
const save = (file: string, content: KeyFile): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.new`;
  writeFileSync(fresh, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(fresh, file);
  chmodSync(file, 0o600);
};

/**
 * The master keys, in a file outside the database. Old versions stay readable after a rotation, so that a bridge which
 * was away can still open what it finds.
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

  /** A version that is not known yet may have been written by a rotation meanwhile. */
  keys(version: number): DerivedKeys {
    const known = this.#derived.get(version);
    if (known !== undefined) return known;
    if (this.#content.keys[version] === undefined) {
      this.#content = parseKeyFile(readFileSync(this.#file, 'utf8'), this.#file);
    }
    const master = this.#content.keys[version];
    if (master === undefined) throw new Error(`master key ${version} is not in ${this.#file}`);
    const bytes = Buffer.from(master, 'base64');
    const keys = { version, sealing: derive(bytes, 'seal'), blinding: derive(bytes, 'blind-index') };
    this.#derived.set(version, keys);
    return keys;
  }

  /** Adds a key and makes it current for what is sealed from now on. The old ones stay. */
  addVersion(): number {
    const version = Math.max(...this.versions) + 1;
    const keys = { ...this.#content.keys, [version]: randomBytes(KEY_BYTES).toString('base64') };
    this.#content = { current: version, keys };
    save(this.#file, this.#content);
    return version;
  }

  /** Forgets a key that nothing is sealed under any more. */
  removeVersion(version: number): void {
    if (version === this.#content.current) throw new Error('the current master key cannot be removed');
    const keys = Object.fromEntries(Object.entries(this.#content.keys).filter(([known]) => Number(known) !== version));
    this.#content = { current: this.#content.current, keys };
    this.#derived.delete(version);
    save(this.#file, this.#content);
  }
}
