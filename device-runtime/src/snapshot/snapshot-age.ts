import { type Instant, instant } from '@lintel/access-core/instant';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';
import type { WallClock } from '../clock/wall-clock-interface.ts';

const ALARM_MS = 7 * 86_400_000;
/** Fewer writes save the SD card; an hour does not matter for an alarm after a week. */
const SAVE_EVERY_MS = 3_600_000;

interface SnapshotAgeDependencies {
  readonly state: ControllerStateStore;
  readonly wall: WallClock;
  /** An older snapshot denies all access; null: never. */
  readonly refuseAfterMs: number | null;
}

/** The time since the bridge last confirmed the snapshot. */
export class SnapshotAge {
  readonly #parts: SnapshotAgeDependencies;
  #contact: Instant | null;
  #saved: Instant | null;

  constructor(parts: SnapshotAgeDependencies) {
    this.#parts = parts;
    const saved = parts.state.read('bridge_contact');
    this.#contact = Number.isSafeInteger(saved) ? instant(saved as number) : null;
    this.#saved = this.#contact;
  }

  get lastContact(): Instant | null {
    return this.#contact;
  }

  /** The bridge has confirmed that the snapshot is current. */
  confirm(): void {
    const now = this.#parts.wall.now();
    this.#contact = now;
    if (this.#saved !== null && Math.abs(now - this.#saved) < SAVE_EVERY_MS) return;
    this.#saved = now;
    this.#parts.state.write('bridge_contact', now);
  }

  clear(): void {
    this.#contact = null;
    this.#saved = null;
    this.#parts.state.write('bridge_contact', null);
  }

  get isOld(): boolean {
    return this.#age() > ALARM_MS;
  }

  get isValid(): boolean {
    const { refuseAfterMs } = this.#parts;
    return refuseAfterMs === null || this.#age() <= refuseAfterMs;
  }

  #age(): number {
    return this.#contact === null ? 0 : this.#parts.wall.now() - this.#contact;
  }
}
