import { formatConnectionError, type OutageLog } from '@lintel/service/connections/outage-log';
import { Pool, type PoolClient, type PoolConfig, type QueryResult } from 'pg';
import { DatabaseUnavailableError, isDatabaseConnectionLoss } from './database-error.ts';

/** A request waits no longer than this for a connection. */
const CONNECT_TIMEOUT_MS = 10_000;

/** The part of a client that Kysely uses. */
interface PooledClient {
  query(text: string, values: readonly unknown[]): Promise<QueryResult>;
  release(isBroken?: boolean): void;
}

interface NamedQuery {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: unknown[];
}

/**
 * A pool of PostgreSQL connections that survives any error of them. A lost connection is reported as a
 * DatabaseUnavailableError; the next request gets a new one.
 */
export class SupervisedPostgresPool {
  /** Required by Kysely, which uses it to cancel queries. */
  readonly options = {};
  readonly #pool: Pool;
  readonly #outages: OutageLog;
  readonly #clients = new WeakMap<PoolClient, PooledClient>();

  constructor(config: PoolConfig, outages: OutageLog) {
    this.#outages = outages;
    this.#pool = new Pool({ connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true, ...config });
    // Idle connections report errors to the pool, connections in use to the client, both possibly more than once. Without listeners
    // such an error ends the process.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', client => client.on('error', () => undefined));
  }

  counts(): Readonly<Record<string, number>> {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { open, idle, waiting };
  }

  async connect(): Promise<PooledClient> {
    const client = await this.#supervise(this.#pool.connect());
    let pooled = this.#clients.get(client);
    if (pooled === undefined) {
      pooled = {
        query: (text, values) => this.#supervise(client.query(text, values as unknown[])),
        release: isBroken => client.release(isBroken),
      };
      this.#clients.set(client, pooled);
    }
    return pooled;
  }

  query(query: NamedQuery): Promise<QueryResult> {
    return this.#supervise(this.#pool.query(query));
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  async #supervise<T>(work: Promise<T>): Promise<T> {
    const operation = this.#outages.begin();
    try {
      const value = await work;
      this.#outages.recovered(operation);
      return value;
    } catch (error) {
      if (!isDatabaseConnectionLoss(error)) throw error;
      this.#outages.failed(error, operation);
      throw new DatabaseUnavailableError(`The database is not reachable: ${formatConnectionError(error)}`, {
        cause: error,
      });
    }
  }
}
