import { sql } from 'kysely';
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
const RECONNECT_MS = 1000;

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
  #client: Client | undefined;
  #reconnectTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(url: string, storage: Storage, onNotified: (organizationId: string) => void) {
    this.#url = url;
    this.#storage = storage;
    this.#onNotified = onNotified;
  }

  notify(organizationId: string): void {
    this.#pending.add(organizationId);
    this.#sendTimer ??= setTimeout(() => void this.#send(), BATCH_WINDOW_MS);
  }

  start(): void {
    void this.#listen();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#sendTimer);
    clearTimeout(this.#reconnectTimer);
    await this.#client?.end().catch(() => undefined);
  }

  async #send(): Promise<void> {
    this.#sendTimer = undefined;
    const ids = JSON.stringify([...this.#pending]);
    this.#pending.clear();
    const notify = sql`select pg_notify(${CHANNEL}, id) from jsonb_array_elements_text(${ids}::jsonb) as id`;
    await notify.execute(this.#storage.writer).catch(() => undefined);
  }

  async #listen(): Promise<void> {
    const client = new Client({ connectionString: this.#url });
    this.#client = client;
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) this.#onNotified(payload);
    });
    client.once('error', () => this.#reconnect());
    client.once('end', () => this.#reconnect());
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch {
      this.#reconnect();
    }
  }

  #reconnect(): void {
    if (this.#isClosed || this.#reconnectTimer !== undefined) return;
    this.#reconnectTimer = setTimeout(() => {
      this.#reconnectTimer = undefined;
      void this.#listen();
    }, RECONNECT_MS).unref();
  }
}
