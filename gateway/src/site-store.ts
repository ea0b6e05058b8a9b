import type { DeviceId } from '@lintel/access-core/ids';
import type { FaultRegistry } from '@lintel/service/faults/fault-registry';
import { FrameStore, type StoreLimits } from './forwarding/frame-store.ts';
import { OfflineDownlinkQueue } from './store/offline-downlink-queue.ts';
import { FrameTable } from './store/frame-table.ts';
import { RevocationShelf } from './store/revocation-shelf.ts';
import { StoreError, StoreFile } from './store/store-file.ts';

const MB = 1024 * 1024;
const defaultLimits = { mostBytes: 1024 * MB, mostBytesForOne: 32 * MB };

/** The file grows to no more than this for each byte that waits, and so much for the rest. */
const DISK_PER_BYTE = 1.5;
const DISK_RESERVE = 64 * MB;

const sentences = {
  full: 'The disk is full. Messages pass as long as the line holds; what waits stays on the controllers.',
  damaged: 'The store was damaged and is begun anew. What was in it comes again from the controllers.',
  failed: 'The store cannot be used. Messages pass as long as the line holds; what waits stays on the controllers.',
} as const;

/** Everything that the gateway keeps on its disk for others, and what to do when the disk fails. */
export class SiteStore {
  readonly frames: FrameStore;
  readonly shelf: OfflineDownlinkQueue;
  readonly revocations: RevocationShelf;
  readonly limits: StoreLimits;
  readonly #file: StoreFile;
  readonly #faults: FaultRegistry;
  #onDamage: () => void = () => undefined;

  constructor(path: string, faults: FaultRegistry, limits: Partial<StoreLimits> = {}) {
    this.#faults = faults;
    const { mostBytes } = { ...defaultLimits, ...limits };
    this.limits = { ...defaultLimits, diskBytes: mostBytes * DISK_PER_BYTE + DISK_RESERVE, ...limits };
    this.#file = new StoreFile(path, this.limits.diskBytes, () => this.#damaged());
    this.shelf = new OfflineDownlinkQueue(this.#file);
    this.revocations = new RevocationShelf(this.#file);
    this.frames = new FrameStore(new FrameTable(this.#file), this.limits, failure => this.#noteFailure(failure));
  }

  /** What was in the store has to come again. */
  onDamage(handler: () => void): void {
    this.#onDamage = handler;
  }

  #damaged(): void {
    this.#faults.set('store_damaged', sentences.damaged);
    setImmediate(() => {
      this.frames.reload();
      this.#onDamage();
    });
  }

  #noteFailure(failure: StoreError | null): void {
    if (failure === null) return this.#faults.clear('store');
    if (failure.kind !== 'damaged') this.#faults.set('store', sentences[failure.kind]);
  }

  /** What cannot be kept is carried all the same. */
  readonly keeping = <T>(work: () => T): T | null => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#noteFailure(error);
      return null;
    }
  };

  /** Whoever is not of the site any more has nothing to send and nothing to get. Answers how many messages left. */
  keepOnly(devices: ReadonlySet<DeviceId>, isInForce: (device: DeviceId, serial: string) => boolean): number {
    this.keeping(() => this.shelf.keepOnly(devices));
    return this.frames.keepOnly(isInForce);
  }

  close(): void {
    this.#file.close();
  }
}
