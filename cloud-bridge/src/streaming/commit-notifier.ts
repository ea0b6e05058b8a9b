import { sql } from 'kysely';
import { Client } from 'pg';
import type { Storage } from '../storage/open-storage.ts';

export interface CommitNotifier {
  /** Tells the other bridges that an organization's log has grown. */
  notify(organizationId: string): void;
  start(): void;
  close(): Promise<void>;
}

/** One bridge alone has nobody to tell. */
export const noOtherBridges: CommitNotifier = {
  notify: () => undefined,
  start: () => undefined,
  close: async () => undefined,
};

const CHANNEL = 'lintel_commits';
const GATHER_MS = 5;
const RECONNECT_MS = 1000;

/**
 * PostgreSQL's NOTIFY. It is sent after the commit, not within: there it would make all commits of the database wait for
 * one another. A notification that is lost costs a moment, since feeds are looked at from time to time anyway.
 */
export class PostgresCommitNotifier implements CommitNotifier {
  readonly #url: string;
  readonly #storage: Storage;
  readonly #onNotified: (organizationId: string) => void;
  readonly #pending = new Set<string>();
  #sending: NodeJS.Timeout | undefined;
  #client: Client | undefined;
  #reconnecting: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(url: string, storage: Storage, onNotified: (organizationId: string) => void) {
    this.#url = url;
    this.#storage = storage;
    this.#onNotified = onNotified;
  }

  notify(organizationId: string): void {
    this.#pending.add(organizationId);
    this.#sending ??= setTimeout(() => void this.#send(), GATHER_MS);
  }

  start(): void {
    void this.#listen();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#sending);
    clearTimeout(this.#reconnecting);
    await this.#client?.end().catch(() => undefined);
  }

  async #send(): Promise<void> {
    this.#sending = undefined;
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
    if (this.#closed || this.#reconnecting !== undefined) return;
    this.#reconnecting = setTimeout(() => {
      this.#reconnecting = undefined;
      void this.#listen();
    }, RECONNECT_MS).unref();
  }
}
