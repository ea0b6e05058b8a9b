import { hash } from 'node:crypto';
import { SliceDigest } from '@lintel/wire-protocol/mqtt/slice-digest';

/** One entry as it is sent and as its hash is taken. */
export interface EntryText {
  readonly type: string;
  readonly id: string;
  readonly text: string;
}

export interface EntryKey {
  readonly type: string;
  readonly id: string;
}

export const keyOf = ({ type, id }: EntryKey): string => `${type} ${id}`;

const HASH_BYTES = 32;

/** The hashes of a slice's entries and their sum: what a digest is made of, and made anew after a change. */
export class SliceHashes {
  readonly #sum = new SliceDigest();
  /** Each hash as a string of bytes, which takes a third of the room of a buffer. */
  readonly #hashes = new Map<string, string>();
  readonly #bytes = Buffer.alloc(HASH_BYTES);

  get size(): number {
    return this.#hashes.size;
  }

  get digest(): string {
    return this.#sum.toString();
  }

  #takeOut(key: string): void {
    const before = this.#hashes.get(key);
    if (before === undefined) return;
    this.#bytes.write(before, 'latin1');
    this.#sum.subtract(this.#bytes);
  }

  put(entry: EntryText): void {
    const key = keyOf(entry);
    this.#takeOut(key);
    const bytes = hash('sha256', entry.text, 'buffer');
    this.#sum.add(bytes);
    this.#hashes.set(key, bytes.toString('latin1'));
  }

  drop(entry: EntryKey): void {
    const key = keyOf(entry);
    this.#takeOut(key);
    this.#hashes.delete(key);
  }
}
