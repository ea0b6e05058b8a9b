import { type Instant, instant } from '@lintel/access-core/instant';
import type { StateStore } from '../state/state-store.ts';
import type { WallClock } from '../clock/wall-clock.ts';

const ALARM_MS = 7 * 86_400_000;
/** Cards wear out: an hour more or less does not matter to a week. */
const SAVE_EVERY_MS = 3_600_000;

interface SnapshotAgeParts {
  readonly state: StateStore;
  readonly wall: WallClock;
  /** Beyond it the snapshot opens nothing any more; null: never. */
  readonly refuseAfterMs: number | null;
}

/** How long ago the bridge last said that the snapshot is what it should be. */
export class SnapshotAge {
  readonly #parts: SnapshotAgeParts;
  #contact: Instant | null;
  #saved: Instant | null;

  constructor(parts: SnapshotAgeParts) {
    this.#parts = parts;
    const kept = parts.state.read('bridge_contact');
    this.#contact = Number.isSafeInteger(kept) ? instant(kept as number) : null;
    this.#saved = this.#contact;
  }

  get contact(): Instant | null {
    return this.#contact;
  }

  /** The bridge is there, and nothing of what it has is lacking. */
  inTouch(): void {
    const now = this.#parts.wall.now();
    this.#contact = now;
    if (this.#saved !== null && Math.abs(now - this.#saved) < SAVE_EVERY_MS) return;
    this.#saved = now;
    this.#parts.state.write('bridge_contact', now);
  }

  /** The snapshot is gone. */
  forget(): void {
    this.#contact = null;
    this.#saved = null;
    this.#parts.state.write('bridge_contact', null);
  }

  get isOld(): boolean {
    return this.#age() > ALARM_MS;
  }

  get isOfUse(): boolean {
    const { refuseAfterMs } = this.#parts;
    return refuseAfterMs === null || this.#age() <= refuseAfterMs;
  }

  #age(): number {
    return this.#contact === null ? 0 : this.#parts.wall.now() - this.#contact;
  }
}
