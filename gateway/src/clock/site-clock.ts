import { type Instant, instant } from '@lintel/access-core/instant';

const DAY_MS = 86_400_000;
/** No gateway has run before this was made. */
export const EARLIEST = Date.parse('2026-01-01T00:00:00Z');
const SAVE_EVERY_MS = 10 * 60_000;

export type TimeSource = 'floor' | 'system' | 'bridge';

export interface SiteClockParts {
  /** Milliseconds of a clock that only runs forward. */
  readonly monotonic: () => number;
  /** The operating system's clock, which may be anything. */
  readonly system: () => number;
  /** The last time that an earlier run knew of. */
  readonly floor: number | null;
  readonly save: (floor: number) => void;
}

/**
 * Kept time. The system's clock is taken at the start when it is not behind the floor and not more than a day ahead of
 * it; after that only the bridge's signed word moves the time, and the monotonic clock carries it on.
 */
export class SiteClock {
  readonly #parts: SiteClockParts;
  #anchor: number;
  #at: number;
  #source: TimeSource = 'floor';
  #saved: number;

  constructor(parts: SiteClockParts) {
    this.#parts = parts;
    const floor = Math.max(parts.floor ?? EARLIEST, EARLIEST);
    const system = parts.system();
    const isCredible = system >= floor && (parts.floor === null || system - floor <= DAY_MS);
    this.#anchor = isCredible ? system : floor;
    this.#at = parts.monotonic();
    if (isCredible) this.#source = 'system';
    this.#saved = parts.floor ?? 0;
  }

  now(): Instant {
    return instant(Math.floor(this.#anchor + Math.max(0, this.#parts.monotonic() - this.#at)));
  }

  get source(): TimeSource {
    return this.#source;
  }

  get isTrusted(): boolean {
    return this.#source === 'bridge';
  }

  /**
   * When the certificate was issued, which was after all that happened before: without a floor of an earlier run, a system
   * that is behind it or more than a day ahead of it is not believed. A clock that is years ahead would find every
   * certificate expired, and never hear the bridge say what time it is.
   */
  issuedAt(issued: number): void {
    const ahead = this.now() - issued;
    if (this.#parts.floor !== null || this.#source === 'bridge' || (ahead >= 0 && ahead <= DAY_MS)) return;
    this.#anchor = Math.max(issued, EARLIEST);
    this.#at = this.#parts.monotonic();
    this.#source = 'floor';
  }

  /** Signed and fresh: forward or back, as far as it says. */
  setByBridge(time: number): void {
    this.#anchor = time;
    this.#at = this.#parts.monotonic();
    this.#source = 'bridge';
    this.save();
  }

  /** Called now and then, so that the floor is never far behind. */
  tick(): void {
    if (Math.abs(this.now() - this.#saved) >= SAVE_EVERY_MS) this.save();
  }

  save(): void {
    this.#saved = this.now();
    this.#parts.save(this.#saved);
  }
}
