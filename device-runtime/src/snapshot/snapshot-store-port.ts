import type { Slice } from '@lintel/wire-protocol/mqtt/messages/slice';
import type { SliceEntry, SliceKey } from '@lintel/wire-protocol/mqtt/slice-entry';

export interface HeldSnapshot {
  readonly revision: number;
  readonly digest: string;
  /** The key that its PINs and cards are digested with. */
  readonly digest_key_id: string;
}

/** What really differs from before: a snapshot that changes one member is a change of one member. */
export interface SnapshotChanges {
  readonly put: readonly SliceEntry[];
  readonly drop: readonly SliceKey[];
}

export type Received =
  | { readonly kind: 'staged' }
  /** `everything`: too much to list, `load` anew. */
  | { readonly kind: 'applied'; readonly held: HeldSnapshot; readonly changes: SnapshotChanges | 'everything' }
  /** Nothing changed. `wrong_base`: a delta to another revision. The sender is asked anew. */
  | { readonly kind: 'refused'; readonly reason: 'wrong_base' | 'wrong_chunk' | 'wrong_digest' | 'storage_failed' };

/** What the controller decides by, over restarts. A cache: when it is damaged it is thrown away and fetched again. */
export interface SnapshotStore {
  held(): HeldSnapshot | null;
  /**
   * Hands over every entry and checks that they are what was applied. False when they are not: then what was handed over
   * is worth nothing, and the store is empty.
   */
  load(take: (entry: SliceEntry) => void): boolean;
  /** The same, a little at a time, beside the door's own work. Not while a change is received. */
  loadBeside(take: (entry: SliceEntry) => void): Promise<boolean>;
  /** Chunks of one change come in order; the last applies all of them in one transaction. */
  receive(chunk: Slice): Promise<Received>;
  /** A change of which some chunks are here. */
  underWay(): { readonly revision: number; readonly next_chunk: number } | null;
  /** Throws everything away, also a change that is just being received. */
  forget(): void;
  close(): void;
}
