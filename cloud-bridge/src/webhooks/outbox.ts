import type { Id } from '@lintel/access-core/ids';
import type { Instant } from '@lintel/access-core/instant';
import { sql, type Kysely } from 'kysely';
import type { Storage } from '../storage/open-storage.ts';
import type { OrganizationEventRow } from '../storage/event-schema.ts';
import type { Database, WebhookRow } from '../storage/schema.ts';
import type { RecordedOrganizationChanges } from '../transactions/record-organization-changes.ts';
import { WebhookFilterCache } from './filter-cache.ts';
import { createJsonRowsParameter } from '../storage/rows-as-json-parameter.ts';

export interface WebhookOutboxDependencies {
  readonly storage: Storage;
  readonly clock: () => Instant;
  readonly newId: (kind: 'webhook_delivery') => Id<'webhook_delivery'>;
}

type SubscribedWebhook = Pick<WebhookRow, 'id' | 'filter'>;

const columns = {
  id: 'text',
  organization_id: 'text',
  webhook_id: 'text',
  event_id: 'text',
  created_at: 'int',
  position: 'int',
} as const;
const names = sql.raw(Object.keys(columns).join(', '));

/** Writes one delivery per event and matching webhook, in the transaction that records the event. */
export class WebhookOutbox {
  readonly #dependencies: WebhookOutboxDependencies;
  readonly #filters = new WebhookFilterCache();
  readonly #webhooksWithQueue = new Set<string>();
  readonly #webhookIdsByJournal = new WeakMap<RecordedOrganizationChanges, readonly string[]>();

  constructor(dependencies: WebhookOutboxDependencies) {
    this.#dependencies = dependencies;
  }

  /** Call after the commit. Returns the webhooks that have new deliveries. */
  onCommitted(recorded: RecordedOrganizationChanges): readonly string[] {
    const webhookIds = this.#webhookIdsByJournal.get(recorded) ?? [];
    for (const id of webhookIds) this.#webhooksWithQueue.add(id);
    return webhookIds;
  }

  /** Call within the transaction. */
  async write(db: Kysely<Database>, recorded: RecordedOrganizationChanges): Promise<void> {
    if (recorded.events.length === 0) return;
    const webhooks = await db
      .selectFrom('webhooks')
      .select(['id', 'filter'])
      .where('organization_id', '=', recorded.organizationId)
      .where('is_enabled', '=', 1)
      .where('is_deleted', '=', 0)
      .execute();
    const matching = recorded.events.flatMap(event =>
      webhooks.filter(({ filter }) => this.#filters.matches(filter, event)).map(webhook => ({ event, webhook })),
    );
    if (matching.length === 0) return;
    await this.#insert(db, matching);
    const webhookIds = [...new Set(matching.map(({ webhook }) => webhook.id))];
    await this.#ensureQueues(db, webhookIds);
    this.#webhookIdsByJournal.set(recorded, webhookIds);
  }

  async #insert(
    db: Kysely<Database>,
    matching: readonly { event: OrganizationEventRow; webhook: SubscribedWebhook }[],
  ): Promise<void> {
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
      select ${names}, 'pending', 0, created_at from ${createJsonRowsParameter(storage.engine, columns, rows)}`.execute(
      db,
    );
  }

  async #ensureQueues(db: Kysely<Database>, webhookIds: readonly string[]): Promise<void> {
    const missing = webhookIds.filter(id => !this.#webhooksWithQueue.has(id));
    if (missing.length === 0) return;
    const { engine } = this.#dependencies.storage;
    const rows = missing.map(webhook_id => ({ webhook_id }));
    // Without "where true" SQLite parses the conflict clause as a join condition.
    await sql`insert into webhook_lanes (webhook_id, lease_until)
      select webhook_id, 0 from ${createJsonRowsParameter(engine, { webhook_id: 'text' }, rows)} where true
      on conflict do nothing`.execute(db);
  }
}
