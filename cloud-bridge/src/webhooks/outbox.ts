import type { Id } from '@lintel/access-core/ids';
import type { Instant } from '@lintel/access-core/instant';
import { sql, type Kysely } from 'kysely';
import type { Storage } from '../storage/open-storage.ts';
import type { Database, EventRow, WebhookRow } from '../storage/schema.ts';
import type { RecordedJournal } from '../transactions/journal.ts';
import { CompiledFilters } from './compiled-filter.ts';
import { rowSet } from './row-set.ts';

export interface OutboxDependencies {
  readonly storage: Storage;
  readonly clock: () => Instant;
  readonly newId: (kind: 'webhook_delivery') => Id<'webhook_delivery'>;
}

type Subscriber = Pick<WebhookRow, 'id' | 'filter'>;

const columns = {
  id: 'text',
  organization_id: 'text',
  webhook_id: 'text',
  event_id: 'text',
  created_at: 'int',
  position: 'int',
} as const;
const names = sql.raw(Object.keys(columns).join(', '));

/** Each event once for each webhook, written in the transaction that records the event. */
export class Outbox {
  readonly #dependencies: OutboxDependencies;
  readonly #filters = new CompiledFilters();
  readonly #withLane = new Set<string>();
  readonly #written = new WeakMap<RecordedJournal, readonly string[]>();

  constructor(dependencies: OutboxDependencies) {
    this.#dependencies = dependencies;
  }

  /** To be called when the transaction is committed: the webhooks that it has something for. */
  committed(recorded: RecordedJournal): readonly string[] {
    const webhookIds = this.#written.get(recorded) ?? [];
    for (const id of webhookIds) this.#withLane.add(id);
    return webhookIds;
  }

  /** To be called within the committing transaction. */
  async write(db: Kysely<Database>, recorded: RecordedJournal): Promise<void> {
    if (recorded.events.length === 0) return;
    const subscribers = await db
      .selectFrom('webhooks')
      .select(['id', 'filter'])
      .where('organization_id', '=', recorded.organizationId)
      .where('is_enabled', '=', 1)
      .where('is_deleted', '=', 0)
      .execute();
    const matching = recorded.events.flatMap(event =>
      subscribers.filter(({ filter }) => this.#filters.match(filter, event)).map(webhook => ({ event, webhook })),
    );
    if (matching.length === 0) return;
    await this.#insert(db, matching);
    const webhookIds = [...new Set(matching.map(({ webhook }) => webhook.id))];
    await this.#ensureLanes(db, webhookIds);
    this.#written.set(recorded, webhookIds);
  }

  async #insert(db: Kysely<Database>, matching: readonly { event: EventRow; webhook: Subscriber }[]): Promise<void> {
    const { storage, newId, clock } = this.#dependencies;
    const created_at = clock();
    const rows = matching.map(({ event, webhook }) => ({
      id: newId('webhook_delivery'),
      organization_id: event.organization_id,
      webhook_id: webhook.id,
      event_id: event.id,
      created_at,
      position: event.recorded_at,
    }));
    await sql`insert into webhook_deliveries (${names}, status, attempts, next_attempt_at)
      select ${names}, 'pending', 0, created_at from ${rowSet(storage.engine, columns, rows)}`.execute(db);
  }

  async #ensureLanes(db: Kysely<Database>, webhookIds: readonly string[]): Promise<void> {
    const missing = webhookIds.filter(id => !this.#withLane.has(id));
    if (missing.length === 0) return;
    const { engine } = this.#dependencies.storage;
    const rows = missing.map(webhook_id => ({ webhook_id }));
    // "where true": without it SQLite takes the conflict clause for a join condition.
    await sql`insert into webhook_lanes (webhook_id, lease_until)
      select webhook_id, 0 from ${rowSet(engine, { webhook_id: 'text' }, rows)} where true
      on conflict do nothing`.execute(db);
  }
}
