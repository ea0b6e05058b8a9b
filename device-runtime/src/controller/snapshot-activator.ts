import type { SnapshotChunkMqttMessage } from '@lintel/wire-protocol/mqtt/messages/snapshot-chunk';
import type { SnapshotChunkResult, SnapshotStore } from '../snapshot/snapshot-store-interface.ts';
import type { ControllerAssembly } from './controller-assembly.ts';
import { ActiveSnapshot } from '../snapshot/active-snapshot.ts';
import { MemberIndexSaver } from '../snapshot/member-index-file/member-index-saver.ts';

type ReceivedSnapshot =
  | SnapshotChunkResult
  | { readonly kind: 'refused'; readonly reason: 'wrong_key' | 'older_revision' };

const DENIED =
  'No member has access until the bridge sends a new one. Connect the controller, or use a commissioning PIN';

const STILL_ACTIVE =
  'The stored access snapshot is damaged. Access continues with a saved copy until the bridge sends a new one';

/** Activates snapshots from the disk and from the bridge. */
export class SnapshotActivator {
  readonly #snapshotStore: SnapshotStore;
  readonly #assembly: Pick<
    ControllerAssembly,
    'served' | 'faults' | 'digests' | 'revocations' | 'doorStructure' | 'ownership' | 'clock'
  >;
  #servedRevision = -1;
  /** Changes with each discard, so that pending loads are ignored. */
  #generation = 0;
  #isStopped = false;
  /** Chunks that are being stored and activated. */
  #receiving = 0;
  readonly #memberIndexSaver: MemberIndexSaver;

  constructor(snapshotStore: SnapshotStore, assembly: ControllerAssembly) {
    this.#snapshotStore = snapshotStore;
    this.#assembly = assembly;
    this.#memberIndexSaver = new MemberIndexSaver({
      store: snapshotStore,
      clock: assembly.clock,
      index: () => (this.#receiving > 0 || this.#isStopped ? null : assembly.served.snapshot.index),
    });
  }

  /** Revision of the active snapshot. A large snapshot is on the disk before it is active. */
  get servedRevision(): number {
    return this.#servedRevision;
  }

  load(): void {
    const { faults, revocations, digests } = this.#assembly;
    const stored = this.#snapshotStore.held();
    const { fresh, isIntact, isFromMemberIndex } = this.#read();
    const problem = this.#findProblem(isIntact);
    if (revocations.hasLostCopy)
      faults.raise(
        'revocations_damaged',
        'A copy of the revocation log was damaged. It was restored from the other copy',
      );
    // A transfer in progress continues if there is no snapshot yet.
    if (problem !== null && stored !== null) this.#snapshotStore.reject();
    if (stored !== null && stored.digest_key_id !== digests.keyId)
      faults.raise('digest_key_changed', `The access snapshot was made for another key. ${DENIED}`);
    else if (problem !== null) faults.raise('slice_damaged', problem);
    this.#serve(problem === null ? fresh : this.#createDoorsOnly(fresh));
    if (problem !== null) return;
    if (isFromMemberIndex) void this.#verifyInBackground();
    else this.#memberIndexSaver.saveOrDelete();
  }

  #read(): { readonly fresh: ActiveSnapshot; readonly isIntact: boolean; readonly isFromMemberIndex: boolean } {
    const saved = new ActiveSnapshot();
    if (this.#snapshotStore.loadMemberIndex(saved)) return { fresh: saved, isIntact: true, isFromMemberIndex: true };
    const fresh = new ActiveSnapshot();
    const isIntact = this.#snapshotStore.load(entry => fresh.put(entry));
    return { fresh, isIntact, isFromMemberIndex: false };
  }

  /** The snapshot in memory was verified and stays active, also if its entries on the disk are damaged. */
  async #verifyInBackground(): Promise<void> {
    const round = this.#generation;
    const isWhole = await this.#snapshotStore.verifyInBackground();
    if (round !== this.#generation || this.#isStopped) return;
    if (isWhole) this.#memberIndexSaver.saveOrDelete();
    else this.#assembly.faults.raise('slice_damaged', STILL_ACTIVE);
  }

  /** Knows the doors and grants nothing. Unverified entries are better than none: exit buttons need the doors. */
  #createDoorsOnly(unverified: ActiveSnapshot): ActiveSnapshot {
    const { doorStructure } = this.#assembly;
    const doors = new ActiveSnapshot();
    const entries = doorStructure.entries.length > 0 ? doorStructure.entries : unverified.doorStructure;
    for (const entry of entries) doors.put(entry);
    return doors;
  }

  /** Why the stored snapshot must not be used; null when it is the newest one that was active. */
  #findProblem(isIntact: boolean): string | null {
    const { revocations, ownership } = this.#assembly;
    if (!isIntact) return `The stored access snapshot is damaged. ${DENIED}`;
    const held = this.#snapshotStore.held();
    if (held === null && revocations.newestRevision < 0 && !revocations.isDamaged)
      return ownership.deviceId === null ? null : `There is no access snapshot. ${DENIED}`;
    if (held === null) return `The stored access snapshot is missing. ${DENIED}`;
    if (revocations.newestRevision < 0) return `The revocation log is damaged or missing. ${DENIED}`;
    return held.revision < revocations.newestRevision ? `The stored access snapshot is too old. ${DENIED}` : null;
  }

  /** The old snapshot stays active until the new one is complete. */
  async #loadInBackground(): Promise<void> {
    const fresh = new ActiveSnapshot();
    const round = this.#generation;
    const isWhole = await this.#snapshotStore.loadInBackground(entry => fresh.put(entry));
    if (round !== this.#generation || this.#isStopped) return;
    if (!isWhole) this.#assembly.faults.raise('slice_damaged', `The stored access snapshot is damaged. ${DENIED}`);
    this.#serve(isWhole ? fresh : this.#createDoorsOnly(fresh));
  }

  #serve(snapshot: ActiveSnapshot): void {
    this.#assembly.served.snapshot = snapshot;
    this.#servedRevision = this.#snapshotStore.held()?.revision ?? -1;
  }

  /** Calls `served` after a change is active. */
  async receive(chunk: SnapshotChunkMqttMessage, served: () => void): Promise<ReceivedSnapshot> {
    const { digests, revocations, faults, doorStructure } = this.#assembly;
    if (chunk.digest_key_id !== digests.keyId) return { kind: 'refused', reason: 'wrong_key' };
    if (chunk.to < revocations.newestRevision) return { kind: 'refused', reason: 'older_revision' };
    const round = this.#generation;
    const received = await this.#store(chunk);
    if (round !== this.#generation) return { kind: 'refused', reason: 'storage_failed' };
    if (received.kind !== 'applied' || this.#isStopped) return received;
    this.#servedRevision = received.held.revision;
    revocations.snapshotApplied(received.held.revision);
    doorStructure.save(this.#assembly.served.snapshot.doorStructure);
    faults.clear('slice_damaged');
    faults.clear('revocations_damaged');
    faults.clear('digest_key_changed');
    served();
    this.#memberIndexSaver.saveOrDelete();
    return received;
  }

  /** The active index is not the stored snapshot until this returns. */
  async #store(chunk: SnapshotChunkMqttMessage): Promise<SnapshotChunkResult> {
    const round = this.#generation;
    this.#receiving += 1;
    try {
      const received = await this.#snapshotStore.receive(chunk);
      if (round !== this.#generation || received.kind !== 'applied') return received;
      if (received.changes === 'everything') await this.#loadInBackground();
      else this.#assembly.served.snapshot.apply(received.changes);
      return received;
    } finally {
      this.#receiving -= 1;
    }
  }

  /** Discards the snapshot and transfers in progress. All members are unknown then. */
  discard(): void {
    this.#generation += 1;
    this.#assembly.served.snapshot = new ActiveSnapshot();
    this.#servedRevision = -1;
    this.#assembly.doorStructure.save([]);
    this.#snapshotStore.clear();
  }

  stop(): void {
    this.#isStopped = true;
    this.#memberIndexSaver.stop();
  }
}
