import { type Monotonic, monotonic } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from './monotonic-clock.ts';

/** setTimeout takes no more. */
const LONGEST_MS = 2 ** 31 - 1;

/** Where the process's own count of milliseconds begins. */
const ORIGIN_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** CLOCK_MONOTONIC. Timers of Node run on it too; one that comes early is set again. */
export class ProcessClock implements MonotonicClock {
  now(): Monotonic {
    return monotonic(ORIGIN_MS + performance.now());
  }

  wake(at: Monotonic, ring: () => void): () => void {
    let timer: NodeJS.Timeout;
    const set = (): void => {
      const wait = Math.min(Math.max(0, Math.ceil(at - this.now())), LONGEST_MS);
      timer = setTimeout(() => (this.now() < at ? set() : ring()), wait);
    };
    set();
    return () => clearTimeout(timer);
  }
}
