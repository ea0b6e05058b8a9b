/** Reads old events for one stream of a caller at a time. Its streams take turns. */
export class BacklogTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(caller) ?? Promise.resolve()).then(work);
    const ended = turn.catch(() => undefined);
    this.#last.set(caller, ended);
    try {
      return await turn;
    } finally {
      if (this.#last.get(caller) === ended) this.#last.delete(caller);
    }
  }
}
