import type { Slice } from '@lintel/wire-protocol/mqtt/messages/slice';
import type { Received, SnapshotStore } from '../snapshot/snapshot-store-port.ts';
import type { Assembly } from './assembly.ts';
import { ActiveSnapshot } from '../snapshot/active-snapshot.ts';

type ReceivedSnapshot = Received | { readonly kind: 'refused'; readonly reason: 'wrong_key' };

/** Brings the snapshot from the disk and from the bridge to where it is decided by. */
export class SnapshotReceiver {
  readonly #snapshotStore: SnapshotStore;
  readonly #assembly: Pick<Assembly, 'served' | 'faults' | 'digests' | 'revocations'>;
  #servedRevision = -1;
  /** Another one each time that everything is forgotten. */
  #round = 0;
  #isStopped = false;

  constructor(snapshotStore: SnapshotStore, assembly: Assembly) {
    this.#snapshotStore = snapshotStore;
    this.#assembly = assembly;
  }

  /** Of what is decided by, not of what is on the disk: a large snapshot takes a moment from there to here. */
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

  /** The old snapshot serves until the new one is whole. */
  async #loadBeside(): Promise<void> {
    const fresh = new ActiveSnapshot();
    const round = this.#round;
    const isWhole = await this.#snapshotStore.loadBeside(entry => fresh.put(entry));
    if (round === this.#round) this.#serve(fresh, isWhole);
  }

  #serve(fresh: ActiveSnapshot, isWhole: boolean): void {
    const { served, faults, digests } = this.#assembly;
    if (this.#isStopped) return;
    if (!isWhole) faults.raise('slice_damaged', 'the cached snapshot was damaged and is fetched again');
    served.snapshot = isWhole ? fresh : new ActiveSnapshot();
    const held = this.#snapshotStore.held();
    this.#servedRevision = held?.revision ?? -1;
    if (held !== null && held.digest_key_id !== digests.keyId)
      faults.raise(
        'digest_key_changed',
        'the snapshot was made for another key: no PIN or card is known until the next',
      );
  }

  /** `served` is called when something has changed. */
  async receive(chunk: Slice, served: () => void): Promise<ReceivedSnapshot> {
    const { digests, revocations, faults } = this.#assembly;
    if (chunk.digest_key_id !== digests.keyId) return { kind: 'refused', reason: 'wrong_key' };
    const round = this.#round;
    const received = await this.#snapshotStore.receive(chunk);
    if (round === this.#round && received.kind === 'applied') {
      if (received.changes === 'everything') await this.#loadBeside();
      else this.#assembly.served.snapshot.apply(received.changes);
    }
    if (round !== this.#round) return { kind: 'refused', reason: 'storage_failed' };
    if (received.kind !== 'applied' || this.#isStopped) return received;
    this.#servedRevision = received.held.revision;
    revocations.settledBy(received.held.revision);
    faults.clear('slice_damaged');
    faults.clear('digest_key_changed');
    served();
    return received;
  }

  /** Nobody is known any more, and a snapshot that is on its way is not served either. */
  forget(): void {
    this.#round += 1;
    this.#assembly.served.snapshot = new ActiveSnapshot();
    this.#servedRevision = -1;
    this.#snapshotStore.forget();
  }

  stop(): void {
    this.#isStopped = true;
  }
}
