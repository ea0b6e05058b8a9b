import type { SnapshotEntryHashes } from './snapshot-entry-hashes.ts';

/** For all controllers together, about 150 bytes per hash. */
const MAX_HASHES = 2_000_000;

/** Caches the entry hashes of controllers, so that a delta does not require hashing the full snapshot. */
export class SnapshotEntryHashCache {
  readonly #byDevice = new Map<string, SnapshotEntryHashes>();
  #hashCount = 0;

  /** Removes and returns the hashes; the caller adds them again after an update. Null if the digest differs. */
  take(deviceId: string, digest: string): SnapshotEntryHashes | null {
    const hashes = this.#byDevice.get(deviceId);
    if (hashes === undefined) return null;
    this.#byDevice.delete(deviceId);
    this.#hashCount -= hashes.size;
    return hashes.digest === digest ? hashes : null;
  }

  add(deviceId: string, hashes: SnapshotEntryHashes): void {
    this.#hashCount += hashes.size - (this.#byDevice.get(deviceId)?.size ?? 0);
    this.#byDevice.delete(deviceId);
    this.#byDevice.set(deviceId, hashes);
    for (const [oldest, { size }] of this.#byDevice) {
      if (this.#hashCount <= MAX_HASHES || oldest === deviceId) return;
      this.#byDevice.delete(oldest);
      this.#hashCount -= size;
    }
  }

  remove(deviceId: string): void {
    this.#hashCount -= this.#byDevice.get(deviceId)?.size ?? 0;
    this.#byDevice.delete(deviceId);
  }
}
