import { type Instant, instant } from '@lintel/access-core/instant';
import type { SystemTime } from './system-time.ts';

/** A machine whose clock can be set wrong, as a time server that lies or a hand in the cupboard would. */
export class SteppedTime implements SystemTime {
  readonly #right: SystemTime;
  #stepped_ms: number | null = null;

  constructor(right: SystemTime) {
    this.#right = right;
  }

  now(): Instant {
    return instant(this.#right.now() + (this.#stepped_ms ?? 0));
  }

  /** Whoever has set it says that it is right. */
  isSynchronized(): boolean {
    return this.#stepped_ms !== null || this.#right.isSynchronized();
  }

  /** So far from the right time, from now on; 0 puts it right again. */
  step(ms: number): void {
    this.#stepped_ms = ms === 0 ? null : ms;
  }
}
