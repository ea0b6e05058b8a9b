export interface Timers {
  /** The returned function cancels. */
  after(ms: number, work: () => void): () => void;
}

export const processTimers: Timers = {
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};
