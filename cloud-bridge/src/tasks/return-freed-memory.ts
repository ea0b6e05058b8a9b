import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { repeatEvery } from '@lintel/service/timing/repeating-timer';

/*
 * V8 keeps the memory of a load peak, such as thousands of controllers that connect at once. A full garbage collection
 * returns it to the system, but stops the process for some tenths of a second. So the bridge waits until it is idle.
 */

const CHECK_MS = 5000;
const MIN_GROWTH_BYTES = 64 * 2 ** 20;
/** Share of the time in which the event loop works. */
const MAX_UTILIZATION = 0.2;
const MIN_INTERVAL_MS = 5 * 60_000;

export interface MemorySample {
  /** Monotonic. */
  readonly at: number;
  readonly residentBytes: number;
  /** Share of the time since the last sample in which the event loop worked. */
  readonly utilization: number;
}

/** Decides when to collect garbage. */
export class MemoryPeakDetector {
  #lowestBytes: number;
  #collectedAt = Number.NEGATIVE_INFINITY;
  #wasQuiet = false;

  constructor(residentBytes: number) {
    this.#lowestBytes = residentBytes;
  }

  shouldCollect({ at, residentBytes, utilization }: MemorySample): boolean {
    const isQuiet = utilization < MAX_UTILIZATION;
    const wasQuiet = this.#wasQuiet;
    this.#wasQuiet = isQuiet;
    this.#lowestBytes = Math.min(this.#lowestBytes, residentBytes);
    if (!isQuiet || !wasQuiet || at - this.#collectedAt < MIN_INTERVAL_MS) return false;
    return residentBytes - this.#lowestBytes >= MIN_GROWTH_BYTES;
  }

  collected(at: number, residentBytes: number): void {
    this.#collectedAt = at;
    this.#lowestBytes = residentBytes;
  }
}

type CollectGarbage = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

const loadCollector = (): CollectGarbage => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as CollectGarbage;
};

/** The returned function stops it. */
export const startReturningFreedMemory = (onError: (error: unknown) => void): (() => void) => {
  const collect = loadCollector();
  const rss = (): number => process.memoryUsage.rss();
  const detector = new MemoryPeakDetector(rss());
  let last = performance.eventLoopUtilization();
  const collectIfDue = (): void => {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, last);
    last = current;
    if (!detector.shouldCollect({ at: performance.now(), residentBytes: rss(), utilization })) return;
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    detector.collected(performance.now(), rss());
  };
  return repeatEvery(CHECK_MS, collectIfDue, onError);
};
