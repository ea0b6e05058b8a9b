import type { Monotonic } from '@lintel/access-core/monotonic';

/** More than ever lie on a reader together; a reader that makes up cards fills no memory. */
const MOST_VISITORS = 16;

/** Makes one tap of many sightings: what was seen a moment ago has not been away. */
export class TapGate {
  readonly #goneAfterMs: number;
  readonly #lastSeen = new Map<string, Monotonic>();

  constructor(goneAfterMs: number) {
    this.#goneAfterMs = goneAfterMs;
  }

  /** True when it has just come; seen it is either way. */
  sees(visitor: string, now: Monotonic): boolean {
    const last = this.#lastSeen.get(visitor);
    this.keep(visitor, now);
    return last === undefined || now - last > this.#goneAfterMs;
  }

  /** It has been there up to now. */
  keep(visitor: string, now: Monotonic): void {
    this.#lastSeen.delete(visitor);
    this.#lastSeen.set(visitor, now);
    if (this.#lastSeen.size <= MOST_VISITORS) return;
    for (const oldest of this.#lastSeen.keys()) {
      this.#lastSeen.delete(oldest);
      return;
    }
  }

  /** It left before it could be read: the next sighting is its first. */
  forget(visitor: string): void {
    this.#lastSeen.delete(visitor);
  }
}
