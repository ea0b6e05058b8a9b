import type { ActiveDeviceSession, SnapshotScope } from '../device-session-registry.ts';
import type { OrganizationSnapshotData, SerializedSnapshotWithoutMembers } from './organization-snapshot-data.ts';
import { type SnapshotDelta, streamSnapshotEntries } from './snapshot-delta.ts';
import { type SerializedSnapshotEntry, formatSnapshotEntryKey, SnapshotEntryHashes } from './snapshot-entry-hashes.ts';
import type { SnapshotEntryHashCache } from './snapshot-entry-hash-cache.ts';
import { SnapshotTransfer } from './snapshot-transfer.ts';

/** Limits the CPU load of concurrent snapshot builds. */
const MAX_CONCURRENT_BUILDS = 2;

/** Builds transfers and keeps the entry hashes for the digest of the next delta. */
export class SnapshotTransferBuilder {
  readonly #hashCache: SnapshotEntryHashCache;
  readonly #chunkCharacters: number | undefined;
  #activeBuilds = 0;
  readonly #waiting: Array<() => void> = [];

  constructor(hashCache: SnapshotEntryHashCache, chunkCharacters?: number) {
    this.#hashCache = hashCache;
    this.#chunkCharacters = chunkCharacters;
  }

  async buildSnapshot(
    view: OrganizationSnapshotData,
    structure: SerializedSnapshotWithoutMembers,
    session: ActiveDeviceSession,
  ): Promise<SnapshotTransfer> {
    const range = { from: null, to: view.revision, digestKeyId: session.digestKeyId };
    const transfer = new SnapshotTransfer(range, structure.scope, this.#chunkCharacters);
    const hashes = await this.#build(view, structure, session, entry => transfer.put(entry));
    return transfer.finish(hashes.digest);
  }

  /** `base` is the digest of the controller's current snapshot. */
  async buildDelta(
    view: OrganizationSnapshotData,
    session: ActiveDeviceSession,
    from: number,
    base: string,
    delta: SnapshotDelta,
  ): Promise<SnapshotTransfer | null> {
    const hashes = this.#hashCache.take(session.deviceId, base);
    const result = hashes === null ? await this.#rebuild(view, session, delta) : { delta, hashes };
    if (result === null) return null;
    if (hashes !== null) {
      for (const entry of delta.put) hashes.put(entry);
      for (const key of delta.drop) hashes.drop(key);
      this.#hashCache.add(session.deviceId, hashes);
    }
    const range = { from, to: view.revision, digestKeyId: session.digestKeyId };
    const transfer = new SnapshotTransfer(range, result.delta.scope, this.#chunkCharacters);
    for (const entry of result.delta.put) await transfer.put(entry);
    for (const key of result.delta.drop) await transfer.drop(key);
    return transfer.finish(result.hashes.digest);
  }

  /** Without cached hashes: builds the full snapshot and takes the entries of the delta from it. */
  async #rebuild(view: OrganizationSnapshotData, session: ActiveDeviceSession, { put, drop }: SnapshotDelta) {
    const structure = await view.structureFor(session.deviceId);
    if (structure === null) return null;
    const missing = new Map([...put, ...drop].map(key => [formatSnapshotEntryKey(key), key]));
    const found: SerializedSnapshotEntry[] = [];
    const hashes = await this.#build(view, structure, session, entry => {
      if (missing.delete(formatSnapshotEntryKey(entry))) found.push(entry);
    });
    const scope: SnapshotScope = structure.scope;
    return { hashes, delta: { put: found, drop: [...missing.values()], scope } };
  }

  async #build(
    view: OrganizationSnapshotData,
    structure: SerializedSnapshotWithoutMembers,
    { deviceId, digester }: ActiveDeviceSession,
    onEntry: (entry: SerializedSnapshotEntry) => Promise<void> | void,
  ): Promise<SnapshotEntryHashes> {
    await this.#waitForSlot();
    try {
      const hashes = new SnapshotEntryHashes();
      for await (const page of streamSnapshotEntries(view, structure, digester)) {
        for (const entry of page) {
          hashes.put(entry);
          await onEntry(entry);
        }
      }
      this.#hashCache.add(deviceId, hashes);
      return hashes;
    } finally {
      this.#activeBuilds--;
      this.#waiting.shift()?.();
    }
  }

  async #waitForSlot(): Promise<void> {
    if (this.#activeBuilds >= MAX_CONCURRENT_BUILDS) {
      await new Promise<void>(resolve => {
        this.#waiting.push(resolve);
      });
    }
    this.#activeBuilds++;
  }
}
