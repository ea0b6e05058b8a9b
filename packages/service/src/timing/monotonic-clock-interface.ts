import type { MonotonicTime } from '@lintel/access-core/monotonic-time';

/** For relays, keypads and lockouts. Changes of the time of day do not affect it. */
export interface MonotonicClock {
  now(): MonotonicTime;
  /** Calls `ring` once, at the given time or as soon as possible after it. The returned function cancels. */
  wake(at: MonotonicTime, ring: () => void): () => void;
}
