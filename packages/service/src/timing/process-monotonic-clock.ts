import { type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from './monotonic-clock-interface.ts';

/** The limit of setTimeout. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** CLOCK_MONOTONIC at the time origin of `performance.now`. */
const ORIGIN_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** CLOCK_MONOTONIC. Node's timers use it too, but may fire early. */
export class ProcessClock implements MonotonicClock {
  now(): MonotonicTime {
    return monotonic(ORIGIN_MS + performance.now());
  }

  wake(at: MonotonicTime, ring: () => void): () => void {
    let timer: NodeJS.Timeout;
    const set = (): void => {
      const wait = Math.min(Math.max(0, Math.ceil(at - this.now())), MAX_TIMEOUT_MS);
      timer = setTimeout(() => (this.now() < at ? set() : ring()), wait);
    };
    set();
    return () => clearTimeout(timer);
  }
}
