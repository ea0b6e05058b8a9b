import { createHmac, hash, timingSafeEqual } from 'node:crypto';

const WORDS = 8;

/**
 * The sum of the keyed hashes of a set of texts. It needs no order and is updated incrementally. Without the key, another
 * set with the same sum cannot be found.
 */
export class KeyedSetHash {
  readonly #keyHex: string;
  readonly #words: Uint32Array;

  constructor(keyHex: string, words = new Uint32Array(WORDS)) {
    this.#keyHex = keyHex;
    this.#words = words;
  }

  add(text: string): void {
    this.#combine(text, 1);
  }

  subtract(text: string): void {
    this.#combine(text, -1);
  }

  /** Called for every entry when a snapshot is loaded: a string is much cheaper than a Buffer here. */
  #combine(text: string, sign: 1 | -1): void {
    const hashed = hash('sha256', this.#keyHex + text, 'binary');
    for (let word = 0; word < WORDS; word++) {
      const at = word * 4;
      const value =
        (hashed.charCodeAt(at) << 24) |
        (hashed.charCodeAt(at + 1) << 16) |
        (hashed.charCodeAt(at + 2) << 8) |
        hashed.charCodeAt(at + 3);
      this.#words[word]! += sign * value;
    }
  }

  copy(): KeyedSetHash {
    return new KeyedSetHash(this.#keyHex, this.#words.slice());
  }

  toString(): string {
    return Buffer.from(this.#words.buffer).toString('base64url');
  }
}

/** Authenticates the controller's own data on its disk, under keys that are derived from its digest key. */
export class DataAuthenticator {
  readonly #macKey: Buffer;
  readonly #sumKey: string;

  constructor(digestKey: Uint8Array) {
    const derive = (purpose: string): Buffer => createHmac('sha256', digestKey).update(purpose).digest();
    this.#macKey = derive('lintel data seal 1');
    this.#sumKey = derive('lintel text set sum 1').toString('hex');
  }

  emptySum(): KeyedSetHash {
    return new KeyedSetHash(this.#sumKey);
  }

  /** `purpose` separates the MACs of different data. */
  create(purpose: string, text: string): string {
    return createHmac('sha256', this.#macKey).update(`${purpose}\n${text}`).digest('base64url');
  }

  isValid(purpose: string, text: string, mac: unknown): boolean {
    const expected = Buffer.from(this.create(purpose, text));
    const given = Buffer.from(String(mac));
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}
