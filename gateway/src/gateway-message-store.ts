import type { DeviceId } from '@lintel/access-core/ids';
import type { FaultRegistry } from '@lintel/service/faults/fault-registry';
import { FrameStore, type FrameStoreLimits } from './forwarding/frame-store.ts';
import { OfflineDownlinkQueue } from './store/offline-downlink-queue.ts';
import { UnconfirmedFrameTable } from './store/unconfirmed-frame-table.ts';
import { StoredRevocations } from './store/stored-revocations.ts';
import { GatewayStoreError, GatewayStoreFile } from './store/gateway-sqlite-file.ts';

const MB = 1024 * 1024;
const defaultLimits = { maxBytes: 1024 * MB, maxBytesPerDevice: 32 * MB };

/** Size limit of the file: this factor of the stored bytes, plus a reserve. */
const DISK_PER_BYTE = 1.5;
const DISK_RESERVE = 64 * MB;

const faultTexts = {
  full: 'The disk is full. Messages pass while the gateway is online. Events wait on the controllers.',
  damaged: 'The store was damaged and replaced by an empty one. The controllers send their events again.',
  failed: 'The store cannot be used. Messages pass while the gateway is online. Events wait on the controllers.',
} as const;

/** All messages that the gateway stores on disk, and the faults of the disk. */
export class GatewayMessageStore {
  readonly frames: FrameStore;
  readonly offlineQueue: OfflineDownlinkQueue;
  readonly revocations: StoredRevocations;
  readonly limits: FrameStoreLimits;
  readonly #file: GatewayStoreFile;
  readonly #faults: FaultRegistry;
  #onDamage: () => void = () => undefined;

  constructor(path: string, faults: FaultRegistry, limits: Partial<FrameStoreLimits> = {}) {
    this.#faults = faults;
    const { maxBytes } = { ...defaultLimits, ...limits };
    this.limits = { ...defaultLimits, diskBytes: maxBytes * DISK_PER_BYTE + DISK_RESERVE, ...limits };
    this.#file = new GatewayStoreFile(path, this.limits.diskBytes, () => this.#handleDamage());
    this.offlineQueue = new OfflineDownlinkQueue(this.#file);
    this.revocations = new StoredRevocations(this.#file);
    this.frames = new FrameStore(new UnconfirmedFrameTable(this.#file), this.limits, failure =>
      this.#setFault(failure),
    );
  }

  /** The contents are lost, and controllers must send their events again. */
  onDamage(handler: () => void): void {
    this.#onDamage = handler;
  }

  #handleDamage(): void {
    this.#faults.set('store_damaged', faultTexts.damaged);
    setImmediate(() => {
      this.frames.reload();
      this.#onDamage();
    });
  }

  #setFault(error: GatewayStoreError | null): void {
    if (error === null) return this.#faults.clear('store');
    if (error.kind !== 'damaged') this.#faults.set('store', faultTexts[error.kind]);
  }

  /** Null when the store fails. Messages are forwarded nevertheless. */
  readonly attempt = <T>(work: () => T): T | null => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof GatewayStoreError)) throw error;
      this.#setFault(error);
      return null;
    }
  };

  /** Deletes messages of and for devices that no longer belong to the site. Returns the number of deleted frames. */
  removeExcept(devices: ReadonlySet<DeviceId>, isValid: (device: DeviceId, serial: string) => boolean): number {
    this.attempt(() => this.offlineQueue.removeExcept(devices));
    return this.frames.removeRevoked(isValid);
  }

  close(): void {
    this.#file.close();
  }
}
