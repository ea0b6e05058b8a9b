import type { Slice } from '@lintel/wire-protocol/mqtt/messages/slice';
import type { HeldRevision, ReceivedChunk, RejectedChunk, SnapshotStorage } from './snapshot-storage.ts';

/** A snapshot in memory that changes by whole transfers. */
export interface SnapshotTarget {
  readonly held: HeldRevision | null;
  /** All chunks of a transfer. False, and nothing changed, when the digest of the result is not the announced one. */
  apply(chunks: readonly [Slice, ...Slice[]]): boolean;
}

const refused = (reason: RejectedChunk): ReceivedChunk => ({ kind: 'refused', reason });

/** Collects the chunks of a transfer in memory until it is complete. */
export class StagedChunks implements SnapshotStorage {
  readonly #target: SnapshotTarget;
  #staged: Slice[] = [];

  constructor(target: SnapshotTarget) {
    this.#target = target;
  }

  held(): HeldRevision | null {
    return this.#target.held;
  }

  underWay(): { readonly revision: number; readonly next_chunk: number } | null {
    const [first] = this.#staged;
    return first === undefined ? null : { revision: first.to, next_chunk: this.#staged.length };
  }

  receive(chunk: Slice): ReceivedChunk {
    if (chunk.chunk === 0) this.#staged = [];
    const [first = chunk] = this.#staged;
    const isNext = chunk.chunk === this.#staged.length && first.to === chunk.to;
    if (!isNext) return this.#discard('wrong_chunk');
    if (chunk.from !== null && chunk.from !== this.#target.held?.revision) return this.#discard('wrong_base');
    this.#staged.push(chunk);
    if (this.#staged.length < chunk.chunks) return { kind: 'staged' };
    const [, ...rest] = this.#staged;
    this.#staged = [];
    if (!this.#target.apply([first, ...rest])) return refused('wrong_digest');
    return { kind: 'applied', held: { revision: first.to, digest: first.digest } };
  }

  #discard(reason: RejectedChunk): ReceivedChunk {
    this.#staged = [];
    return refused(reason);
  }
}
