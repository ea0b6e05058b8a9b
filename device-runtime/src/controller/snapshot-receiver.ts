import type { SnapshotChunkMessage } from '@lintel/wire-protocol/mqtt/messages/snapshot-chunk';
import type { SnapshotChunkResult, SnapshotStore } from '../snapshot/snapshot-store.ts';
import type { ControllerAssembly } from './controller-assembly.ts';
import { ActiveSnapshot } from '../snapshot/active-snapshot.ts';

type ReceivedSnapshot = SnapshotChunkResult | { readonly kind: 'refused'; readonly reason: 'wrong_key' };

/** Activates snapshots from the disk and from the bridge. */
export class SnapshotReceiver {
  readonly #snapshotStore: SnapshotStore;
  readonly #assembly: Pick<ControllerAssembly, 'served' | 'faults' | 'digests' | 'revocations'>;
  #servedRevision = -1;
  /** Changes with each discard, so that pending loads are ignored. */
  #generation = 0;
  #isStopped = false;

  constructor(snapshotStore: SnapshotStore, assembly: ControllerAssembly) {
    this.#snapshotStore = snapshotStore;
    this.#assembly = assembly;
  }

  /** Revision of the active snapshot. A large snapshot is on the disk before it is active. */
  get servedRevision(): number {
    return this.#servedRevision;
  }

  load(): void {
    const fresh = new ActiveSnapshot();
    this.#serve(
      fresh,
      this.#snapshotStore.load(entry => fresh.put(entry)),
    );
  }

  /** The old snapshot stays active until the new one is complete. */
  async #loadInBackground(): Promise<void> {
    const fresh = new ActiveSnapshot();
    const round = this.#generation;
    const isWhole = await this.#snapshotStore.loadInBackground(entry => fresh.put(entry));
    if (round === this.#generation) this.#serve(fresh, isWhole);
  }

  #serve(fresh: ActiveSnapshot, isWhole: boolean): void {
    const { served, faults, digests } = this.#assembly;
    if (this.#isStopped) return;
    if (!isWhole) faults.raise('slice_damaged', 'The stored access snapshot was damaged and is requested again');
    served.snapshot = isWhole ? fresh : new ActiveSnapshot();
    const held = this.#snapshotStore.held();
    this.#servedRevision = held?.revision ?? -1;
    if (held !== null && held.digest_key_id !== digests.keyId)
      faults.raise(
        'digest_key_changed',
        'The access snapshot was made for another key. PINs and cards are unknown until the next snapshot',
      );
  }

  /** Calls `served` after a change is active. */
  async receive(chunk: SnapshotChunkMessage, served: () => void): Promise<ReceivedSnapshot> {
    const { digests, revocations, faults } = this.#assembly;
    if (chunk.digest_key_id !== digests.keyId) return { kind: 'refused', reason: 'wrong_key' };
    const round = this.#generation;
    const received = await this.#snapshotStore.receive(chunk);
    if (round === this.#generation && received.kind === 'applied') {
      if (received.changes === 'everything') await this.#loadInBackground();
      else this.#assembly.served.snapshot.apply(received.changes);
    }
    if (round !== this.#generation) return { kind: 'refused', reason: 'storage_failed' };
    if (received.kind !== 'applied' || this.#isStopped) return received;
    this.#servedRevision = received.held.revision;
    revocations.dropUpTo(received.held.revision);
    faults.clear('slice_damaged');
    faults.clear('digest_key_changed');
    served();
    return received;
  }

  /** Discards the snapshot and transfers in progress. All members are unknown then. */
  discard(): void {
    this.#generation += 1;
    this.#assembly.served.snapshot = new ActiveSnapshot();
    this.#servedRevision = -1;
    this.#snapshotStore.clear();
  }

  stop(): void {
    this.#isStopped = true;
  }
}
