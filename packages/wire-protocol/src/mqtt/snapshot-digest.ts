import type { SnapshotEntry } from './snapshot-entry.ts';

/*
 * The digest of a snapshot is the sum, modulo 2^256, of the hashes of its entries. A sum needs no order and is updated
 * incrementally: subtract the old entry, add the new one. Snapshots are signed; the digest detects drift and does not
 * prove origin.
 */

type Hash = (bytes: Uint8Array) => Uint8Array;

const WORDS = 8;
const utf8 = new TextEncoder();

/** Known entries have four levels; deeper nesting than this is an attack on the stack. */
const DEEPEST = 64;

/** Canonical JSON: keys sorted by code units, no spaces. */
const canonical = (value: unknown, depth = 0): string => {
  if (depth > DEEPEST) throw new RangeError('The entry is nested too deeply');
  if (Array.isArray(value)) return `[${value.map(one => canonical(one, depth + 1)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, content]) => content !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, content]) => `${JSON.stringify(key)}:${canonical(content, depth + 1)}`);
  return `{${fields.join(',')}}`;
};

/** The text to hash. Throws a RangeError if the entry is nested too deeply. */
export const encodeCanonicalSnapshotEntry = (entry: SnapshotEntry): string => canonical(entry);

/** Returns 32 bytes. `sha256` is provided by the caller. Throws a RangeError if the entry is nested too deeply. */
export const hashSnapshotEntry = (entry: SnapshotEntry, sha256: Hash): Uint8Array =>
  sha256(utf8.encode(encodeCanonicalSnapshotEntry(entry)));

export class SnapshotDigest {
  readonly #sum: Uint32Array;

  /** Throws a RangeError if the text is not a digest. */
  constructor(text?: string) {
    if (text !== undefined && !/^[0-9a-f]{64}$/.test(text)) throw new RangeError('A digest has 64 hex digits');
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
