/** Work that is due later. Answers how to call it off. */
export interface Timers {
  after(ms: number, work: () => void): () => void;
}

export const processTimers: Timers = {
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};
