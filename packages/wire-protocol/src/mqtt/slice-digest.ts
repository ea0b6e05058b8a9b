import type { SliceEntry } from './slice-entry.ts';

/*
 * The digest of a slice is the sum, modulo 2^256, of the hashes of its entries. Sums need no order and no second pass:
 * a changed entry is taken out and put in again. Slices come signed; the digest finds drift, it does not prove origin.
 */

type Hash = (bytes: Uint8Array) => Uint8Array;

const WORDS = 8;
const utf8 = new TextEncoder();

/** Entries that we know are four deep; whatever is deeper than this was made to exhaust the stack. */
const DEEPEST = 64;

/** The one spelling of a value: keys in the order of their code units, no space. */
const canonical = (value: unknown, depth = 0): string => {
  if (depth > DEEPEST) throw new RangeError('an entry is nested too deeply');
  if (Array.isArray(value)) return `[${value.map(one => canonical(one, depth + 1)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, content]) => content !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, content]) => `${JSON.stringify(key)}:${canonical(content, depth + 1)}`);
  return `{${fields.join(',')}}`;
};

/** What an entry's hash is taken of. Throws a RangeError for an entry that is nested too deeply. */
export const canonicalText = (entry: SliceEntry): string => canonical(entry);

/** `sha256` is the caller's. 32 bytes. Throws a RangeError for an entry that is nested too deeply. */
export const entryHash = (entry: SliceEntry, sha256: Hash): Uint8Array => sha256(utf8.encode(canonicalText(entry)));

export class SliceDigest {
  readonly #sum: Uint32Array;

  /** Throws a RangeError for a text that is no digest. */
  constructor(text?: string) {
    if (text !== undefined && !/^[0-9a-f]{64}$/.test(text)) throw new RangeError('a digest is 64 digits of hex');
    this.#sum = Uint32Array.from({ length: WORDS }, (_, word) =>
      text === undefined ? 0 : Number.parseInt(text.slice(word * 8, word * 8 + 8), 16),
    );
  }

  add(hash: Uint8Array): void {
    this.#combine(hash, 1);
  }

  subtract(hash: Uint8Array): void {
    this.#combine(hash, -1);
  }

  #combine(hash: Uint8Array, sign: 1 | -1): void {
    const words = new DataView(hash.buffer, hash.byteOffset, WORDS * 4);
    let carry = 0;
    for (let word = WORDS - 1; word >= 0; word--) {
      const total = this.#sum[word]! + sign * words.getUint32(word * 4) + carry;
      this.#sum[word] = total;
      carry = Math.floor(total / 2 ** 32);
    }
  }

  toString(): string {
    return Array.from(this.#sum, word => word.toString(16).padStart(8, '0')).join('');
  }
}
