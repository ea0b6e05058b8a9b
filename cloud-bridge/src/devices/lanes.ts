/** Work for one controller is done in the order in which it came, and that of another does not wait for it. */
export class Lanes {
  readonly #tails = new Map<string, { last: Promise<void>; waiting: number }>();
  readonly #mostWaiting: number;
  readonly #onError: (error: unknown) => void;

  constructor(mostWaiting: number, onError: (error: unknown) => void) {
    this.#mostWaiting = mostWaiting;
    this.#onError = onError;
  }

  /** False when too much waits in the lane already: then the work is not done. */
  enter(name: string, work: () => Promise<void>): boolean {
    const lane = this.#tails.get(name) ?? { last: Promise.resolve(), waiting: 0 };
    if (lane.waiting >= this.#mostWaiting) return false;
    lane.waiting++;
    lane.last = lane.last
      .then(work)
      .catch(this.#onError)
      .finally(() => {
        lane.waiting--;
        if (lane.waiting === 0) this.#tails.delete(name);
      });
    this.#tails.set(name, lane);
    return true;
  }

  /** Everything that waits now is done. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(Array.from(this.#tails.values(), ({ last }) => last));
  }
}
