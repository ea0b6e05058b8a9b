import { hash } from 'node:crypto';
import { SnapshotDigest } from '@lintel/wire-protocol/mqtt/snapshot-digest';
import type { SnapshotEntryKey } from '@lintel/wire-protocol/mqtt/snapshot-entry';

/** A snapshot entry as canonical JSON. */
export interface SerializedSnapshotEntry {
  readonly type: string;
  readonly id: string;
  readonly text: string;
}

export const formatSnapshotEntryKey = ({ type, id }: SnapshotEntryKey): string => `${type} ${id}`;

const HASH_BYTES = 32;

/** The hashes of all entries of a snapshot. Updates the digest incrementally. */
export class SnapshotEntryHashes {
  readonly #sum = new SnapshotDigest();
  /** Each hash as a latin1 string, which needs a third of the memory of a buffer. */
  readonly #hashes = new Map<string, string>();
  readonly #bytes = Buffer.alloc(HASH_BYTES);

  get size(): number {
    return this.#hashes.size;
  }

  get digest(): string {
    return this.#sum.toString();
  }

  #subtract(key: string): void {
    const before = this.#hashes.get(key);
    if (before === undefined) return;
    this.#bytes.write(before, 'latin1');
    this.#sum.subtract(this.#bytes);
  }

  put(entry: SerializedSnapshotEntry): void {
    const key = formatSnapshotEntryKey(entry);
    this.#subtract(key);
    const bytes = hash('sha256', entry.text, 'buffer');
    this.#sum.add(bytes);
    this.#hashes.set(key, bytes.toString('latin1'));
  }

  drop(entry: SnapshotEntryKey): void {
    const key = formatSnapshotEntryKey(entry);
    this.#subtract(key);
    this.#hashes.delete(key);
  }
}
