/** Runs the tasks of each key in order. Tasks of different keys do not wait for each other. */
export class KeyedTaskQueue {
  readonly #queues = new Map<string, { last: Promise<void>; pending: number }>();
  readonly #maxPending: number;
  readonly #onError: (error: unknown) => void;

  constructor(maxPending: number, onError: (error: unknown) => void) {
    this.#maxPending = maxPending;
    this.#onError = onError;
  }

  /** Returns false and discards the task if the queue of the key is full. */
  enqueue(key: string, task: () => Promise<void>): boolean {
    const queue = this.#queues.get(key) ?? { last: Promise.resolve(), pending: 0 };
    if (queue.pending >= this.#maxPending) return false;
    queue.pending++;
    queue.last = queue.last
      .then(task)
      .catch(this.#onError)
      .finally(() => {
        queue.pending--;
        if (queue.pending === 0) this.#queues.delete(key);
      });
    this.#queues.set(key, queue);
    return true;
  }

  /** Resolves when all queues are empty. */
  async whenIdle(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all(Array.from(this.#queues.values(), ({ last }) => last));
  }
}
