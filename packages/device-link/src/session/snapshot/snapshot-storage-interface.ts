import type { SnapshotChunkMqttMessage } from '@lintel/wire-protocol/mqtt/messages/snapshot-chunk';

export interface StoredRevision {
  readonly revision: number;
  readonly digest: string;
}

/** `older_revision`: than a snapshot that was active before. */
export type SnapshotChunkRejectionReason =
  | 'wrong_base'
  | 'wrong_chunk'
  | 'wrong_digest'
  | 'wrong_key'
  | 'older_revision'
  | 'storage_failed';

export type SnapshotChunkStorageResult =
  | { readonly kind: 'staged' }
  | { readonly kind: 'applied'; readonly held: StoredRevision }
  /** Nothing changed, and the bridge is asked again. `wrong_base`: a delta to another revision. */
  | { readonly kind: 'refused'; readonly reason: SnapshotChunkRejectionReason };

/** Where a device keeps its access snapshot. */
export interface SnapshotStorage {
  held(): StoredRevision | null;
  /** A transfer of which some chunks have arrived. */
  pendingTransfer(): { readonly revision: number; readonly next_chunk: number } | null;
  /** Chunks of one transfer arrive in order; the last one applies all of them, or none when the digest differs. */
  receive(chunk: SnapshotChunkMqttMessage): SnapshotChunkStorageResult | Promise<SnapshotChunkStorageResult>;
}
