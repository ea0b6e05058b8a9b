import type { SnapshotChunkMqttMessage } from '@lintel/wire-protocol/mqtt/messages/snapshot-chunk';
import type { CompleteSnapshotTransfer } from './apply-snapshot-chunks.ts';
import type {
  StoredRevision,
  SnapshotChunkStorageResult,
  SnapshotChunkRejectionReason,
  SnapshotStorage,
} from './snapshot-storage-interface.ts';

/** A snapshot in memory that changes by whole transfers. */
export interface InMemorySnapshot {
  readonly held: StoredRevision | null;
  /** False, and nothing changed, when the digest of the result is not the announced one. */
  apply(transfer: CompleteSnapshotTransfer): boolean;
}

const refused = (reason: SnapshotChunkRejectionReason): SnapshotChunkStorageResult => ({ kind: 'refused', reason });

/** Collects the chunks of a transfer in memory until it is complete. */
export class StagedSnapshotChunks implements SnapshotStorage {
  readonly #target: InMemorySnapshot;
  #staged: SnapshotChunkMqttMessage[] = [];

  constructor(target: InMemorySnapshot) {
    this.#target = target;
  }

  held(): StoredRevision | null {
    return this.#target.held;
  }

  pendingTransfer(): { readonly revision: number; readonly next_chunk: number } | null {
    const [first] = this.#staged;
    return first === undefined ? null : { revision: first.to, next_chunk: this.#staged.length };
  }

  receive(chunk: SnapshotChunkMqttMessage): SnapshotChunkStorageResult {
    if (chunk.chunk === 0) this.#staged = [];
    const [first = chunk] = this.#staged;
    const isNext = chunk.chunk === this.#staged.length && first.to === chunk.to;
    if (!isNext) return this.#discard('wrong_chunk');
    if (chunk.from !== null && chunk.from !== this.#target.held?.revision) return this.#discard('wrong_base');
    this.#staged.push(chunk);
    const { from, to, digest } = chunk;
    if (digest === null || chunk.chunks !== this.#staged.length) return { kind: 'staged' };
    const chunks = this.#staged;
    this.#staged = [];
    if (!this.#target.apply({ from, to, digest, chunks })) return refused('wrong_digest');
    return { kind: 'applied', held: { revision: to, digest } };
  }

  #discard(reason: SnapshotChunkRejectionReason): SnapshotChunkStorageResult {
    this.#staged = [];
    return refused(reason);
  }
}
