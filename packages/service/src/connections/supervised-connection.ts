import { Backoff } from '../timing/backoff.ts';
import type { Timers } from '../timing/timers.ts';
import type { OutageLog } from './outage-log.ts';

/** Opens one connection. `onLost` may be called any number of times, also before the connection is open. */
export type ConnectionOpener<C> = (onLost: (error: unknown) => void) => Promise<C>;

export interface SupervisedConnectionOptions<C> {
  readonly open: ConnectionOpener<C>;
  readonly close: (connection: C) => Promise<unknown>;
  readonly outages: OutageLog;
  readonly timers: Timers;
  readonly random: () => number;
}

const RECONNECT = { firstMs: 250, longestMs: 10_000 };

/** Keeps one connection open: replaces it after any error, with backoff, until `close`. Never throws. */
export class SupervisedConnection<C> {
  readonly #options: SupervisedConnectionOptions<C>;
  readonly #backoff: Backoff;
  #attempt = 0;
  #cancelRetry: (() => void) | null = null;
  #connection: C | null = null;
  #isClosed = false;

  constructor(options: SupervisedConnectionOptions<C>) {
    this.#options = options;
    this.#backoff = new Backoff(RECONNECT, options.random);
  }

  /** Null while disconnected. */
  get current(): C | null {
    return this.#connection;
  }

  /** Resolves after the first attempt, whether it succeeded or not. */
  async start(): Promise<void> {
    const attempt = ++this.#attempt;
    const operation = this.#options.outages.begin();
    const onLost = (error: unknown): void => this.#lose(attempt, error);
    try {
      const connection = await this.#options.open(onLost);
      if (attempt !== this.#attempt || this.#isClosed) return await this.#discard(connection);
      this.#connection = connection;
      this.#backoff.reset();
      this.#options.outages.recovered(operation);
    } catch (error) {
      this.#lose(attempt, error, operation);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry?.();
    const connection = this.#connection;
    this.#connection = null;
    if (connection !== null) await this.#discard(connection);
  }

  /** Errors of an earlier connection, and further errors of the same one, have no effect. */
  #lose(attempt: number, error: unknown, operation?: number): void {
    if (attempt !== this.#attempt || this.#isClosed) return;
    this.#attempt++;
    const connection = this.#connection;
    this.#connection = null;
    this.#options.outages.failed(error, operation);
    if (connection !== null) void this.#discard(connection);
    this.#cancelRetry = this.#options.timers.after(this.#backoff.next(), () => this.start());
  }

  async #discard(connection: C): Promise<void> {
    try {
      await this.#options.close(connection);
    } catch {
      // It is broken already.
    }
  }
}
