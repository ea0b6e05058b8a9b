import { after, type Monotonic } from '@lintel/access-core/monotonic';
import type { Time } from '@lintel/wire-protocol/mqtt/messages/time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { Controller } from '../controller/controller.ts';
import type { RevocationNumbers } from './revocation-numbers.ts';
import type { SliceSync } from './snapshot-sync.ts';

type Extent = Pick<Time, 'revision' | 'revoke_counter'>;

/** The slice follows a hello and a change by itself; who is still behind after this asks. */
const GRACE_MS = 2_000;
/** Where no revocation is missing there is no hurry: most changes concern other doors. */
const LONG_GRACE_MS = 30_000;
const FAULT_AFTER_MS = 60_000;
/** How rarely a revocation is asked for at the most: in the first minute, and after it. */
const URGENT_MS = 2_000;
const LONG_URGENT_MS = 15_000;
const FAULT = 'kept_behind';

export interface AbreastParts {
  readonly controller: Controller;
  readonly sync: Pick<SliceSync, 'ask' | 'quietFor'>;
  readonly numbers: () => RevocationNumbers;
  readonly clock: MonotonicClock;
  /** Holds all that the bridge has said just now that there is. */
  readonly caughtUp: () => void;
}

/** Compares what the bridge says there is with what has come, and notices when somebody on the way keeps things back. */
export class Abreast {
  readonly #parts: AbreastParts;
  #said: (Extent & { readonly isFresh: boolean }) | null = null;
  #behindSince: Monotonic | null = null;
  /** When it is looked at again. */
  #due: Monotonic | null = null;
  #cancel: () => void = () => undefined;

  constructor(parts: AbreastParts) {
    this.#parts = parts;
  }

  /** The bridge's signed word. `isFresh`: from just now, not from earlier in this session. */
  learned(said: Extent, isFresh: boolean): void {
    const numbers = this.#parts.numbers();
    if (isFresh && said.revoke_counter < numbers.highest) numbers.beginAgainAt(said.revoke_counter);
    if (isFresh || this.#said === null || said.revision > this.#said.revision) this.#said = { ...said, isFresh };
    this.look();
  }

  /** After everything that may have changed something about it. */
  look(): void {
    const said = this.#said;
    if (said === null) return;
    const { controller, numbers, caughtUp } = this.#parts;
    if ((controller.heldSlice?.revision ?? -1) < said.revision) return this.#isBehind(said);
    this.stop();
    numbers().settledUpTo(said.revoke_counter);
    this.#behindSince = null;
    controller.setFault(FAULT, null);
    // Old words that somebody lets out one by one are no sign that the bridge is there.
    if (!said.isFresh) return;
    this.#said = { ...said, isFresh: false };
    caughtUp();
  }

  #isBehind(said: Extent): void {
    const { clock, numbers } = this.#parts;
    this.#behindSince ??= clock.now();
    const isUrgent = numbers().isLackingUpTo(said.revoke_counter);
    const wait = isUrgent ? GRACE_MS : LONG_GRACE_MS;
    const due = after(clock.now(), wait);
    // Words that come all the time must not put it off.
    if (this.#due !== null && this.#due <= due) return;
    this.stop();
    this.#due = due;
    this.#cancel = clock.wake(due, () => {
      this.#due = null;
      this.#stillBehind(this.#said ?? said, wait);
    });
  }

  #stillBehind({ revision, revoke_counter }: Extent, wait: number): void {
    const { controller, sync, clock, numbers } = this.#parts;
    const isUrgent = numbers().isLackingUpTo(revoke_counter);
    // What was missing two seconds ago may have come since.
    if (sync.quietFor >= wait && (isUrgent || wait > GRACE_MS)) {
      const isLong = clock.now() - this.#behindSince! >= FAULT_AFTER_MS;
      const longest = isLong ? LONG_URGENT_MS : URGENT_MS;
      sync.ask('the bridge has more than has come', isUrgent ? longest : undefined);
      const message = `revision ${revision} or a revocation was announced and has not come in spite of asking`;
      if (isLong) controller.setFault(FAULT, message);
    }
    this.look();
  }

  stop(): void {
    this.#due = null;
    this.#cancel();
  }
}
