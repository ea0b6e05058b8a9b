/** Runs at once and then at an interval. Runs never overlap. */
export class PeriodicTask {
  readonly #work: () => Promise<unknown>;
  readonly #intervalMs: number;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(work: () => Promise<unknown>, intervalMs: number, onError: (error: unknown) => void) {
    this.#work = work;
    this.#intervalMs = intervalMs;
    this.#onError = onError;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Waits for the current run. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      await this.#work();
    } catch (error) {
      this.#onError(error);
    }
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#run();
    }, this.#intervalMs).unref();
  }
}
