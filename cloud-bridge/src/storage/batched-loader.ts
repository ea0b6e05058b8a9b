import { setImmediate as nextTurn } from 'node:timers';

/**
 * Loads values by key. All requests of one turn of the event loop share one query: when thousands of controllers connect at
 * once, the number of queries matters more than their size. Nothing is cached, so each value is newer than its request.
 */
export class BatchedLoader<V> {
  readonly #loadAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>;
  #waiting = new Map<string, PromiseWithResolvers<V | undefined>>();

  constructor(loadAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>) {
    this.#loadAll = loadAll;
  }

  /** Undefined if `loadAll` returns nothing for the key. */
  load(key: string): Promise<V | undefined> {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting.promise;
    const request = Promise.withResolvers<V | undefined>();
    if (this.#waiting.size === 0) nextTurn(() => void this.#loadWaiting());
    this.#waiting.set(key, request);
    return request.promise;
  }

  async #loadWaiting(): Promise<void> {
    const requests = this.#waiting;
    this.#waiting = new Map();
    try {
      const values = await this.#loadAll([...requests.keys()]);
      for (const [key, { resolve }] of requests) resolve(values.get(key));
    } catch (error) {
      for (const { reject } of requests.values()) reject(error);
    }
  }
}
