import type { Timers } from './timers.ts';

/** Timers that a test lets fire, in the order in which they are due. */
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

  /** How long until the next one, or null. */
  get next(): number | null {
    return this.#waiting.length === 0 ? null : Math.min(...this.#waiting.map(({ at }) => at)) - this.#now;
  }

  /** Lets the next one fire, and all that follows from it without a further wait. */
  async fire(): Promise<void> {
    const [entry] = this.#waiting.toSorted((a, b) => a.at - b.at);
    if (entry === undefined) throw new Error('nothing is due');
    this.#waiting.splice(this.#waiting.indexOf(entry), 1);
    this.#now = entry.at;
    entry.work();
    await new Promise(resolve => {
      setImmediate(resolve);
    });
  }
}
