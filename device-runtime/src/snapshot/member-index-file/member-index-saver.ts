import type { AccessIndex } from '@lintel/access-core/access-index/access-index';
import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import { computeMaxBackoffDelay } from '@lintel/service/timing/backoff';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { SnapshotStore } from '../snapshot-store-interface.ts';

/** After a change more changes often follow, and each one interrupts saving. */
const PAUSE = { firstMs: 10_000, longestMs: 3_600_000 };

export interface MemberIndexSaverDependencies {
  readonly store: Pick<SnapshotStore, 'chooseMemberIndexAction' | 'saveMemberIndex' | 'deleteMemberIndex'>;
  readonly clock: MonotonicClock;
  /** The active index; null while it is not the stored snapshot. */
  readonly index: () => AccessIndex | null;
}

/**
 * Saves the member index when it is due, and deletes one that is not needed. When a change or the disk prevents
 * saving, tries again after longer pauses.
 */
export class MemberIndexSaver {
  readonly #parts: MemberIndexSaverDependencies;
  #failures = 0;
  #isPending = false;
  #isStopped = false;
  #cancelTimer: () => void = () => undefined;

  constructor(parts: MemberIndexSaverDependencies) {
    this.#parts = parts;
  }

  /** Call after each change of the active snapshot. */
  saveOrDelete(): void {
    const { store, index, clock } = this.#parts;
    const members = index()?.memberCount;
    if (this.#isPending || this.#isStopped || members === undefined) return;
    const action = store.chooseMemberIndexAction(members);
    if (action === 'delete') store.deleteMemberIndex();
    if (action !== 'save') return;
    this.#isPending = true;
    const pause = computeMaxBackoffDelay(PAUSE, this.#failures);
    this.#cancelTimer = clock.wake(addMilliseconds(clock.now(), pause), () => void this.#save());
  }

  async #save(): Promise<void> {
    const index = this.#parts.index();
    const isSaved =
      index !== null && (await this.#parts.store.saveMemberIndex(index.memberCount, index.exportMembers()));
    this.#failures = isSaved ? 0 : this.#failures + 1;
    this.#isPending = false;
    this.saveOrDelete();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer();
  }
}
