import type { SnapshotEntry, SnapshotEntryKey } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import type { SnapshotChanges } from '../snapshot-store-interface.ts';

/** Collects changes until there are too many to list. */
export class SnapshotChangeList {
  readonly #mostListed: number;
  #changes: { put: SnapshotEntry[]; drop: SnapshotEntryKey[] } | null = { put: [], drop: [] };

  constructor(mostListed: number) {
    this.#mostListed = mostListed;
  }

  add(kind: 'put', one: SnapshotEntry): void;
  add(kind: 'drop', one: SnapshotEntryKey): void;
  add(kind: 'put' | 'drop', one: SnapshotEntry & SnapshotEntryKey): void {
    if (this.#changes === null) return;
    this.#changes[kind].push(one);
    if (this.#changes.put.length + this.#changes.drop.length > this.#mostListed) this.#changes = null;
  }

  get result(): SnapshotChanges | 'everything' {
    return this.#changes ?? 'everything';
  }
}
