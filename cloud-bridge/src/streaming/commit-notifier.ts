import { sql } from 'kysely';
import { SupervisedConnection } from '@lintel/service/connections/supervised-connection';
import { processTimers } from '@lintel/service/timing/timers';
import { Client } from 'pg';
import type { Storage } from '../storage/open-storage.ts';

export interface CommitNotifier {
  /** Notifies the other bridges of new events in an organization. */
  notify(organizationId: string): void;
  start(): void;
  close(): Promise<void>;
}

/** For a single bridge. */
export const noopCommitNotifier: CommitNotifier = {
  notify: () => undefined,
  start: () => undefined,
  close: async () => undefined,
};

const CHANNEL = 'lintel_commits';
const BATCH_WINDOW_MS = 5;

/**
 * Uses PostgreSQL's NOTIFY. Notifies after the commit, because NOTIFY within a transaction serializes all commits of the
 * database. A lost notification only delays events until the next poll.
 */
export class PostgresCommitNotifier implements CommitNotifier {
  readonly #url: string;
  readonly #storage: Storage;
  readonly #onNotified: (organizationId: string) => void;
  readonly #pending = new Set<string>();
  #sendTimer: NodeJS.Timeout | undefined;
  readonly #listener: SupervisedConnection<Client>;

  constructor(url: string, storage: Storage, onNotified: (organizationId: string) => void) {
    this.#url = url;
    this.#storage = storage;
    this.#onNotified = onNotified;
    this.#listener = new SupervisedConnection({
      open: onLost => this.#listen(onLost),
      close: client => client.end(),
      outages: storage.monitor.connection,
      timers: processTimers,
      random: Math.random,
    });
  }

  notify(organizationId: string): void {
    this.#pending.add(organizationId);
    this.#sendTimer ??= setTimeout(() => void this.#send(), BATCH_WINDOW_MS);
  }

  start(): void {
    void this.#listener.start();
  }

  async close(): Promise<void> {
    clearTimeout(this.#sendTimer);
    await this.#listener.close();
  }

  async #send(): Promise<void> {
    this.#sendTimer = undefined;
    const ids = JSON.stringify([...this.#pending]);
    this.#pending.clear();
    const notify = sql`select pg_notify(${CHANNEL}, id) from jsonb_array_elements_text(${ids}::jsonb) as id`;
    await notify.execute(this.#storage.writer).catch(() => undefined);
  }

  async #listen(onLost: (error: unknown) => void): Promise<Client> {
    const client = new Client({ connectionString: this.#url, keepAlive: true });
    // Reports a lost connection more than once.
    client.on('error', onLost);
    client.once('end', () => onLost(new Error('Connection terminated')));
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) this.#onNotified(payload);
    });
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    return client;
  }
}
