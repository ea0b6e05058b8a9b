import type { Timers } from '@lintel/service/timing/timers';

/** Timers that a test fires one by one, in the order in which they are due. */
export class ManualTimers implements Timers {
  readonly #waiting: Array<{ readonly at: number; readonly work: () => void }> = [];
  #now = 0;

  after(ms: number, work: () => void): () => void {
    const entry = { at: this.#now + ms, work };
    this.#waiting.push(entry);
    return () => {
      const index = this.#waiting.indexOf(entry);
      if (index >= 0) this.#waiting.splice(index, 1);
    };
  }

  /** The time until the next timer, or null. */
  get next(): number | null {
    return this.#waiting.length === 0 ? null : Math.min(...this.#waiting.map(({ at }) => at)) - this.#now;
  }

  /** Fires the next timer and waits for the work that follows immediately. */
  async fire(): Promise<void> {
    const [entry] = this.#waiting.toSorted((a, b) => a.at - b.at);
    if (entry === undefined) throw new Error('No timer is set');
    this.#waiting.splice(this.#waiting.indexOf(entry), 1);
    this.#now = entry.at;
    entry.work();
    await new Promise(resolve => {
      setImmediate(resolve);
    });
  }
}
