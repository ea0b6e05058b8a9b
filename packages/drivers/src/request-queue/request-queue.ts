type Work = () => Promise<void>;

/** Runs one request at a time, commands before polls. */
export class BusRequestQueue {
  readonly #pause: () => Promise<void>;
  readonly #commands: Work[] = [];
  readonly #polls: Work[] = [];
  #isBusy = false;

  /** `pause` runs after each request. */
  constructor(pause: () => Promise<void> = () => Promise.resolve()) {
    this.#pause = pause;
  }

  add<T>(urgency: 'command' | 'poll', request: () => Promise<T>): Promise<T> {
    return new Promise((answered, failed) => {
      const queue = urgency === 'command' ? this.#commands : this.#polls;
      queue.push(() => request().then(answered, failed));
      void this.#run();
    });
  }

  /** Drops polls that have not begun. */
  dropPolls(): void {
    this.#polls.length = 0;
  }

  async #run(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let work = this.#next(); work !== undefined; work = this.#next()) {
      await work();
      await this.#pause();
    }
    this.#isBusy = false;
  }

  #next(): Work | undefined {
    return this.#commands.shift() ?? this.#polls.shift();
  }
}
