import type { Monotonic } from '@lintel/access-core/monotonic';

/** The clock of relays, keypads and lockouts: setting the time of day does not touch it. */
export interface MonotonicClock {
  now(): Monotonic;
  /** Rings once, at the given time or as soon as possible after it. The answer cancels. */
  wake(at: Monotonic, ring: () => void): () => void;
}
