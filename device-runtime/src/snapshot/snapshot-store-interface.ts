import type {
  SnapshotChunkStorageResult,
  SnapshotStorage,
  StoredRevision,
} from '@lintel/device-link/session/snapshot/snapshot-storage-interface';
import type { SnapshotChunkMqttMessage } from '@lintel/wire-protocol/mqtt/messages/snapshot-chunk';
import type { SnapshotEntry, SnapshotEntryKey } from '@lintel/wire-protocol/mqtt/snapshot-entry';

export interface StoredSnapshot extends StoredRevision {
  /** The key of the PIN and card digests. */
  readonly digest_key_id: string;
}

/** The actual differences to the previous snapshot. */
export interface SnapshotChanges {
  readonly put: readonly SnapshotEntry[];
  readonly drop: readonly SnapshotEntryKey[];
}

export type SnapshotChunkResult =
  | Exclude<SnapshotChunkStorageResult, { readonly kind: 'applied' }>
  /** `everything`: too many changes to list; load the snapshot again. */
  | { readonly kind: 'applied'; readonly held: StoredSnapshot; readonly changes: SnapshotChanges | 'everything' };

/** The access snapshot on disk. One that does not verify is not used, and requested again. */
export interface SnapshotStore extends SnapshotStorage {
  held(): StoredSnapshot | null;
  /**
   * Passes every entry to `take`. False when they do not verify: they must be ignored then, and the store holds nothing.
   */
  load(take: (entry: SnapshotEntry) => void): boolean;
  /** The same in small steps, without blocking the door. Not while a chunk is received. */
  loadInBackground(take: (entry: SnapshotEntry) => void): Promise<boolean>;
  /** Holds nothing from now on, until the next full snapshot. */
  reject(): void;
  receive(chunk: SnapshotChunkMqttMessage): Promise<SnapshotChunkResult>;
  /** Deletes everything, including a transfer in progress. */
  clear(): void;
  close(): void;
}
