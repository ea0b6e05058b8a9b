import { type Instant, instant } from '@lintel/access-core/instant';
import type { SystemTime } from '@lintel/service/linux/system-time';

/** A system clock that tests can set wrong, as a malicious time server would. */
export class SystemTimeWithOffset implements SystemTime {
  readonly #right: SystemTime;
  #stepped_ms: number | null = null;

  constructor(right: SystemTime) {
    this.#right = right;
  }

  now(): Instant {
    return instant(this.#right.now() + (this.#stepped_ms ?? 0));
  }

  /** A stepped clock claims to be synchronized. */
  isSynchronized(): boolean {
    return this.#stepped_ms !== null || this.#right.isSynchronized();
  }

  readRtc(): Instant | null {
    return this.#right.readRtc?.() ?? null;
  }

  /** Sets the offset to the right time; 0 ends it. */
  step(ms: number): void {
    this.#stepped_ms = ms === 0 ? null : ms;
  }
}
