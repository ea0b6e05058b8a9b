import type { Slice } from '@lintel/wire-protocol/mqtt/messages/slice';

export interface HeldRevision {
  readonly revision: number;
  readonly digest: string;
}

export type RejectedChunk = 'wrong_base' | 'wrong_chunk' | 'wrong_digest' | 'wrong_key' | 'storage_failed';

export type ReceivedChunk =
  | { readonly kind: 'staged' }
  | { readonly kind: 'applied'; readonly held: HeldRevision }
  /** Nothing changed, and the bridge is asked again. `wrong_base`: a delta to another revision. */
  | { readonly kind: 'refused'; readonly reason: RejectedChunk };

/** Where a device keeps its access snapshot. */
export interface SnapshotStorage {
  held(): HeldRevision | null;
  /** A transfer of which some chunks have arrived. */
  underWay(): { readonly revision: number; readonly next_chunk: number } | null;
  /** Chunks of one transfer arrive in order; the last one applies all of them, or none when the digest differs. */
  receive(chunk: Slice): ReceivedChunk | Promise<ReceivedChunk>;
}
