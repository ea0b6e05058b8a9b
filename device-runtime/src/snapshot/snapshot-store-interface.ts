import type {
  SnapshotChunkStorageResult,
  SnapshotStorage,
  StoredRevision,
} from '@lintel/device-link/session/snapshot/snapshot-storage-interface';
import type { MemberImageSection } from '@lintel/access-core/access-index/member-image';
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

/** Receives a snapshot that was saved as a member index. */
export interface MemberIndexTarget {
  importMembers(sections: Iterable<MemberImageSection>): void;
  put(entry: SnapshotEntry): void;
  drop(key: SnapshotEntryKey): void;
}

/** The access snapshot on disk. One that does not verify is not used, and requested again. */
export interface SnapshotStore extends SnapshotStorage {
  held(): StoredSnapshot | null;
  /**
   * Passes every entry to `take`. False when they do not verify: they must be ignored then, and the store holds nothing.
   */
  load(take: (entry: SnapshotEntry) => void): boolean;
  /** The same in small steps, without blocking the door. Not while a chunk is received. */
  loadInBackground(take: (entry: SnapshotEntry) => void): Promise<boolean>;
  /**
   * Like `load`, much faster with many members: from a file with the member index, which was saved before. False without
   * one that verifies; `target` must be ignored then. `verifyInBackground` is due afterwards.
   */
  loadMemberIndex(target: MemberIndexTarget): boolean;
  /**
   * Verifies the stored entries without blocking the door. False when they do not verify: the store then holds nothing,
   * but what was loaded with `loadMemberIndex` was verified. Changes wait for the end of it.
   */
  verifyInBackground(): Promise<boolean>;
  /** What should be done for a fast start with so many members. */
  chooseMemberIndexAction(members: number): 'save' | 'delete' | 'none';
  /**
   * Saves the members of the active snapshot without blocking the door. False when that failed, or was given up for a
   * change of the stored snapshot.
   */
  saveMemberIndex(members: number, sections: Iterable<MemberImageSection>): Promise<boolean>;
  deleteMemberIndex(): void;
  /** Holds nothing from now on, until the next full snapshot. */
  reject(): void;
  receive(chunk: SnapshotChunkMqttMessage): Promise<SnapshotChunkResult>;
  /** Deletes everything, including a transfer in progress. */
  clear(): void;
  close(): void;
}
