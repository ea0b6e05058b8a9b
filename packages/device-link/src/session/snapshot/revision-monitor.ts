import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { EventAckMqttMessage } from '@lintel/wire-protocol/mqtt/messages/event-ack';
import type { TimeMqttMessage } from '@lintel/wire-protocol/mqtt/messages/time';
import type { ReceivedRevocations } from '../downlink/received-revocation-numbers.ts';
import type { SnapshotStorage } from './snapshot-storage-interface.ts';
import type { SnapshotSync } from './snapshot-sync.ts';

type Announced = Pick<TimeMqttMessage, 'revision' | 'revoke_counter'>;

/** Snapshots follow a hello and a change without a request; a device that is behind after this time asks. */
const GRACE_MS = 2_000;
/** Longer when no revocation is missing: most changes concern other doors. */
const LONG_GRACE_MS = 30_000;
const FAULT_AFTER_MS = 60_000;
/** The longest pause between requests for a revocation: in the first minute, and after it. */
const URGENT_MS = 2_000;
const LONG_URGENT_MS = 15_000;
const FAULT = 'kept_behind';

export interface RevisionMonitorDependencies {
  readonly snapshots: SnapshotStorage;
  readonly clock: MonotonicClock;
  readonly setFault: (code: string, message: string | null) => void;
}

export interface RevisionMonitorHooks {
  readonly sync: Pick<SnapshotSync, 'request' | 'msSinceProgress'>;
  readonly revocations: () => ReceivedRevocations;
  /** The device holds everything that the bridge has just announced. */
  readonly upToDate: () => void;
}

/** Compares what the bridge announces with what has arrived, and detects data that is withheld on the way. */
export class RevisionMonitor {
  readonly #parts: RevisionMonitorDependencies;
  readonly #hooks: RevisionMonitorHooks;
  #announced: (Announced & { readonly isFresh: boolean }) | null = null;
  #behindSince: MonotonicTime | null = null;
  #dueAt: MonotonicTime | null = null;
  #cancel: () => void = () => undefined;

  constructor(parts: RevisionMonitorDependencies, hooks: RevisionMonitorHooks) {
    this.#parts = parts;
    this.#hooks = hooks;
  }

  /**
   * A bridge that answers with a lower counter than the reported one continues from there. A counter that is only lower
   * than the newest revocation is older than it.
   */
  acceptLowerCounter({ revoke_counter }: Announced, reported: number): void {
    if (revoke_counter < reported) this.#hooks.revocations().restartAt(revoke_counter);
  }

  /** Signed by the organization. `isFresh`: sent just now, not earlier in this session. */
  announce(announced: Announced, isFresh: boolean): void {
    if (isFresh || this.#announced === null || announced.revision > this.#announced.revision)
      this.#announced = { ...announced, isFresh };
    this.check();
  }

  /** Acknowledgements announce revocations, too. */
  acknowledged({ revision, revoke_counter }: EventAckMqttMessage): void {
    if (revision == null || revoke_counter == null) return;
    if (this.#hooks.revocations().isMissingUpTo(revoke_counter)) this.announce({ revision, revoke_counter }, false);
  }

  /** A revocation has arrived; those before it may be missing. */
  revoked(revision: number, number: number): void {
    const revocations = this.#hooks.revocations();
    revocations.add(number);
    if (revocations.isMissingUpTo(number - 1)) this.announce({ revision, revoke_counter: number }, false);
  }

  /** To be called after every change of the snapshot. */
  check(): void {
    const announced = this.#announced;
    if (announced === null) return;
    const { snapshots, setFault } = this.#parts;
    const { revocations, upToDate } = this.#hooks;
    if ((snapshots.held()?.revision ?? -1) < announced.revision) return this.#isBehind(announced);
    this.stop();
    revocations().settleUpTo(announced.revoke_counter);
    this.#behindSince = null;
    setFault(FAULT, null);
    // Old messages that are released one by one do not prove that the bridge is reachable.
    if (!announced.isFresh) return;
    this.#announced = { ...announced, isFresh: false };
    upToDate();
  }

  #isBehind(announced: Announced): void {
    const { clock } = this.#parts;
    this.#behindSince ??= clock.now();
    const isUrgent = this.#hooks.revocations().isMissingUpTo(announced.revoke_counter);
    const wait = isUrgent ? GRACE_MS : LONG_GRACE_MS;
    const due = addMilliseconds(clock.now(), wait);
    // Frequent announcements must not postpone the request.
    if (this.#dueAt !== null && this.#dueAt <= due) return;
    this.stop();
    this.#dueAt = due;
    this.#cancel = clock.wake(due, () => {
      this.#dueAt = null;
      this.#stillBehind(this.#announced ?? announced, wait);
    });
  }

  #stillBehind({ revision, revoke_counter }: Announced, wait: number): void {
    const { clock, setFault } = this.#parts;
    const { sync, revocations } = this.#hooks;
    const isUrgent = revocations().isMissingUpTo(revoke_counter);
    // What was missing two seconds ago may have arrived since.
    if (sync.msSinceProgress >= wait && (isUrgent || wait > GRACE_MS)) {
      const isLong = clock.now() - this.#behindSince! >= FAULT_AFTER_MS;
      const longest = isLong ? LONG_URGENT_MS : URGENT_MS;
      sync.request('the bridge has more than has arrived', isUrgent ? longest : undefined);
      const message = `revision ${revision} or a revocation was announced and has not arrived in spite of requests`;
      if (isLong) setFault(FAULT, message);
    }
    this.check();
  }

  stop(): void {
    this.#dueAt = null;
    this.#cancel();
  }
}
