import type { SliceHashes } from './slice-hashes.ts';

/** Hashes of all slices together, some 150 bytes each. */
const MOST_HASHES = 2_000_000;

/** The hashes of the slices that controllers hold, so that a change costs no more than what has changed. */
export class SliceStates {
  readonly #states = new Map<string, SliceHashes>();
  readonly #most: number;
  #hashes = 0;

  constructor(most = MOST_HASHES) {
    this.#most = most;
  }

  /** Taken out: whoever changes them puts them back. Null when those that are kept are of another state of the slice. */
  take(deviceId: string, digest: string): SliceHashes | null {
    const state = this.#states.get(deviceId);
    if (state === undefined) return null;
    this.#states.delete(deviceId);
    this.#hashes -= state.size;
    return state.digest === digest ? state : null;
  }

  keep(deviceId: string, state: SliceHashes): void {
    this.#hashes += state.size - (this.#states.get(deviceId)?.size ?? 0);
    this.#states.delete(deviceId);
    this.#states.set(deviceId, state);
    for (const [oldest, { size }] of this.#states) {
      if (this.#hashes <= this.#most || oldest === deviceId) return;
      this.#states.delete(oldest);
      this.#hashes -= size;
    }
  }

  forget(deviceId: string): void {
    this.#hashes -= this.#states.get(deviceId)?.size ?? 0;
    this.#states.delete(deviceId);
  }
}
