import { guardTimerWork } from './repeating-timer.ts';

export interface Timers {
  /** The returned function cancels. An error of the work, also of the promise that it returns, does not end the process. */
  after(ms: number, work: () => unknown): () => void;
}

export const processTimers: Timers = {
  after: (ms, work) => {
    const timer = setTimeout(guardTimerWork(work), ms);
    return () => clearTimeout(timer);
  },
};
