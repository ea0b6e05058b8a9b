import { createCredentialDigester } from '@lintel/crypto/credential-digester';
import type { ActiveDeviceSession } from '../device-session-registry.ts';
import type { OrganizationSnapshotData, SerializedSnapshotWithoutMembers } from './organization-snapshot-data.ts';
import { type SnapshotDelta, streamSnapshotEntries } from './snapshot-delta.ts';
import { type SerializedSnapshotEntry, SnapshotEntryHashes } from './snapshot-entry-hashes.ts';
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

  /** Returns at once: the chunks are built meanwhile. */
  startSnapshot(
    view: OrganizationSnapshotData,
    structure: SerializedSnapshotWithoutMembers,
    session: ActiveDeviceSession,
  ): SnapshotTransfer {
    const range = { from: null, to: view.revision, digestKeyId: session.digestKeyId };
    const transfer = new SnapshotTransfer(range, structure.scope, this.#chunkCharacters);
    void this.#build(view, structure, session, entry => transfer.put(entry))
      .then(({ digest }) => transfer.finish(digest))
      .catch((error: Error) => transfer.fail(error));
    return transfer;
  }

  /** `hashes` are those of the controller's entries. They may already contain the changes of the delta. */
  async buildDelta(
    view: OrganizationSnapshotData,
    session: ActiveDeviceSession,
    from: number,
    hashes: SnapshotEntryHashes,
    delta: SnapshotDelta,
  ): Promise<SnapshotTransfer> {
    for (const entry of delta.put) hashes.put(entry);
    for (const key of delta.drop) hashes.drop(key);
    this.#hashCache.add(session.deviceId, hashes);
    const range = { from, to: view.revision, digestKeyId: session.digestKeyId };
    const transfer = new SnapshotTransfer(range, delta.scope, this.#chunkCharacters);
    for (const entry of delta.put) await transfer.put(entry);
    for (const key of delta.drop) await transfer.drop(key);
    return transfer.finish(hashes.digest);
  }

  /** The hashes of the full snapshot. Null for a deleted device. */
  async buildHashes(view: OrganizationSnapshotData, session: ActiveDeviceSession): Promise<SnapshotEntryHashes | null> {
    const structure = await view.structureFor(session.deviceId);
    return structure === null ? null : this.#build(view, structure, session, () => undefined);
  }

  async #build(
    view: OrganizationSnapshotData,
    structure: SerializedSnapshotWithoutMembers,
    { deviceId, digestKey }: ActiveDeviceSession,
    onEntry: (entry: SerializedSnapshotEntry) => Promise<void> | void,
  ): Promise<SnapshotEntryHashes> {
    await this.#waitForSlot();
    try {
      const hashes = new SnapshotEntryHashes();
      for await (const page of streamSnapshotEntries(view, structure, createCredentialDigester(digestKey))) {
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
