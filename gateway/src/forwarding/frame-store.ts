import type { DeviceId } from '@lintel/access-core/ids';
import { StoredFrameTotals, type FrameQueueSize } from '../store/stored-frame-totals.ts';
import type {
  StoredFrameMetadata,
  UnconfirmedFrameTable,
  NewStoredFrame,
  StoredFrame,
} from '../store/unconfirmed-frame-table.ts';
import { GatewayStoreError } from '../store/gateway-sqlite-file.ts';

export interface FrameStoreLimits {
  readonly maxBytes: number;
  readonly maxBytesPerDevice: number;
  /** Largest size of the database file. */
  readonly diskBytes: number;
}

/** `duplicate`: its events are stored already. `rejected`: there is no room, so the controller keeps it and sends it again. */
export type FrameStoreResult = 'stored' | 'duplicate' | 'rejected';

/** Called when the store fails, and with null when it works again. */
type OnFailure = (failure: GatewayStoreError | null) => void;

/**
 * The frames that wait for the bridge. The oldest are sent first. When the store is full, new frames are rejected and stay with
 * their controllers, so that the events of a controller stay in order.
 */
export class FrameStore {
  readonly #table: UnconfirmedFrameTable;
  readonly #limits: FrameStoreLimits;
  readonly #onFailure: OnFailure;
  readonly #index = new StoredFrameTotals();
  /** Ids of confirmed frames that could not be deleted from the disk yet. */
  readonly #undeleted = new Set<number>();
  /** Whether the index is complete: the disk may be unreadable at the start. */
  #isLoaded = false;
  #unconfirmedRemovals = 0;

  constructor(table: UnconfirmedFrameTable, limits: FrameStoreLimits, onFailure: OnFailure) {
    this.#table = table;
    this.#limits = limits;
    this.#onFailure = onFailure;
    this.reload();
  }

  /** For the start, and after a damaged file was replaced. */
  reload(): void {
    this.#index.clear();
    this.#undeleted.clear();
    this.#isLoaded = this.#try(false, () => {
      for (const frame of this.#table.all()) this.#index.add(frame);
      return true;
    });
  }

  #try<T>(fallback: T, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof GatewayStoreError)) throw error;
      this.#onFailure(error);
      return fallback;
    }
  }

  get total(): FrameQueueSize {
    return this.#index.total;
  }

  queueOf(device: DeviceId): FrameQueueSize {
    return this.#index.queueOf(device);
  }

  devices(): DeviceId[] {
    return this.#index.devices();
  }

  /** Frames up to the id `sentUpTo` were sent already and are not merged into the new one. */
  add(frame: NewStoredFrame, sentUpTo = 0): FrameStoreResult {
    const { device, serial, ranges, payload } = frame;
    const isDuplicate = this.#index.holds(device, serial, ranges);
    const covered = this.#covered(frame, sentUpTo);
    if (isDuplicate && covered.length < 2) return 'duplicate';
    const hasRoom =
      this.#index.total.bytes + payload.length <= this.#limits.maxBytes &&
      this.#index.queueOf(device).bytes + payload.length <= this.#limits.maxBytesPerDevice;
    if (!hasRoom) return isDuplicate ? 'duplicate' : 'rejected';
    return this.#try<FrameStoreResult>('rejected', () => {
      if (frame.kind === 'rules-changed') this.#removeUnconfirmed(this.#table.ruleChanges(device));
      const added = this.#table.add(frame, covered);
      for (const replaced of covered) this.#index.remove(replaced);
      this.#index.add(added);
      this.#removeSuperseded(frame);
      // Until the index is complete the failure stays, and `retry` is called.
      if (this.#isLoaded) this.#onFailure(null);
      return 'stored';
    });
  }

  /** Controllers resend unacknowledged events in large batches. One batch replaces the small frames whose events it contains. */
  #covered(frame: NewStoredFrame, sentUpTo: number): readonly StoredFrameMetadata[] {
    const [first, ...others] = frame.ranges;
    const isBatch = first !== undefined && (others.length > 0 || first.range[0] < first.range[1]);
    if (!isBatch || this.#index.queueOf(frame.device).frames === 0) return [];
    return this.#try([], () =>
      this.#table.framesCoveredBy(frame, sentUpTo).filter(({ id }) => !this.#undeleted.has(id)),
    );
  }

  /**
   * Removes frames signed with another certificate once all their events are stored with the current one. The bridge rejects
   * the old frames without a response if that certificate has expired.
   */
  #removeSuperseded({ device, serial }: NewStoredFrame): void {
    if (this.#index.serials(device).every(known => known === serial)) return;
    const isSuperseded = ({ ranges }: StoredFrameMetadata): boolean => this.#index.holds(device, serial, ranges);
    this.#removeUnconfirmed(this.#table.eventFramesOfOtherCertificates(device, serial).filter(isSuperseded));
  }

  /** How many frames were removed without a confirmation of the bridge: those in flight get no response. */
  get unconfirmedRemovals(): number {
    return this.#unconfirmedRemovals;
  }

  has(id: number): boolean {
    return !this.#undeleted.has(id) && this.#try(true, () => this.#table.find(id) !== null);
  }

  next(device: DeviceId, after: number): StoredFrame | null {
    return this.#try(null, () => {
      let frame = this.#table.next(device, after);
      while (frame !== null && this.#undeleted.has(frame.id)) frame = this.#table.next(device, frame.id);
      return frame;
    });
  }

  oldest(): StoredFrameMetadata | null {
    return this.#try(null, () => {
      if (this.#undeleted.size === 0) return this.#table.oldest();
      for (const frame of this.#table.all()) if (!this.#undeleted.has(frame.id)) return frame;
      return null;
    });
  }

  /** Called periodically while the store fails, so that the fault ends without waiting for the next frame. */
  retry(): 'failing' | 'working' | 'reloaded' {
    return this.#try('failing', () => {
      this.#table.probeWrite();
      this.#remove([]);
      const wasLoaded = this.#isLoaded;
      if (!wasLoaded) this.reload();
      if (!this.#isLoaded) return 'failing';
      this.#onFailure(null);
      return wasLoaded ? 'working' : 'reloaded';
    });
  }

  /** The bridge has these frames. */
  confirm(ids: readonly number[]): void {
    if (ids.length === 0) return;
    this.#try(undefined, () => {
      const frames = ids.filter(id => !this.#undeleted.has(id)).flatMap(id => this.#table.find(id) ?? []);
      this.#remove(frames);
    });
  }

  #removeUnconfirmed(frames: readonly StoredFrameMetadata[]): void {
    this.#unconfirmedRemovals += frames.length;
    this.#remove(frames);
  }

  #remove(frames: readonly StoredFrameMetadata[]): void {
    for (const frame of frames) {
      if (this.#undeleted.has(frame.id)) continue;
      this.#index.remove(frame);
      this.#undeleted.add(frame.id);
    }
    this.#table.remove([...this.#undeleted]);
    this.#undeleted.clear();
  }

  /** Removes frames signed with a revoked certificate, which the bridge would reject. Returns their number. */
  removeRevoked(isValid: (device: DeviceId, serial: string) => boolean): number {
    const hasRevoked = this.devices().some(device =>
      this.#index.serials(device).some(serial => !isValid(device, serial)),
    );
    if (!hasRevoked) return 0;
    return this.#try(0, () => {
      const frames = [...this.#table.all()].filter(({ device, serial }) => !isValid(device, serial));
      this.#removeUnconfirmed(frames);
      return frames.length;
    });
  }
}
