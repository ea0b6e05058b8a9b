import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { WebhookDeliveryRow } from '../storage/webhook-and-schedule-trigger-schema.ts';
import type { Storage } from '../storage/open-storage.ts';
import { runAsyncCommitTransaction } from '../storage/async-commit-transaction.ts';
import type { Database } from '../storage/schema.ts';
import { WEBHOOK_QUEUE_LEASE_MS, renewWebhookQueueLeases } from './queue-leases.ts';
import { buildIdInExpression } from '../queries/sql-conditions.ts';
import { createJsonRowsParameter } from '../storage/rows-as-json-parameter.ts';
import type { WebhookHealthColumns } from './receiver-health.ts';

/** The columns of a delivery after an attempt. */
export type WebhookDeliveryUpdate = Omit<
  WebhookDeliveryRow,
  'organization_id' | 'webhook_id' | 'event_id' | 'created_at' | 'position'
>;

interface HealthUpdate extends WebhookHealthColumns {
  readonly webhook_id: string;
}

const deliveryColumns = {
  id: 'text',
  status: 'text',
  attempts: 'int',
  request_url: 'text',
  response_status: 'int',
  response_body: 'text',
  error: 'text',
  duration_ms: 'int',
  last_attempt_at: 'int',
  next_attempt_at: 'int',
  tried_since: 'int',
  body: 'text',
  note: 'text',
  awaits_receiver: 'int',
} as const satisfies Record<keyof WebhookDeliveryUpdate, 'text' | 'int'>;

/** What differs between deliveries that succeeded. */
const successColumns = {
  id: 'text',
  attempts: 'int',
  request_url: 'text',
  response_status: 'int',
  duration_ms: 'int',
  last_attempt_at: 'int',
  tried_since: 'int',
  note: 'text',
} as const satisfies Partial<typeof deliveryColumns>;

const assign = (columns: Readonly<Record<string, string>>) =>
  sql.raw(
    Object.keys(columns)
      .filter(name => name !== 'id')
      .map(name => `${name} = o.${name}`)
      .join(', '),
  );

const allAssignments = assign(deliveryColumns);
const successAssignments = sql`${assign(successColumns)}, status = 'delivered', response_body = null, error = null,
  next_attempt_at = null, body = null, awaits_receiver = 0`;

const healthColumns = {
  webhook_id: 'text',
  failing_since: 'int',
  failed_deliveries: 'text',
  backoffs: 'int',
  resume_at: 'int',
} as const satisfies Record<keyof HealthUpdate, 'text' | 'int'>;

/** Collects the updates of a few milliseconds into one commit. */
const BATCH_WINDOW_MS = 50;
const RETRY_MS = 500;

interface Batch {
  readonly deliveries: WebhookDeliveryUpdate[];
  readonly health: Map<string, HealthUpdate>;
  readonly releasedIds: Set<string>;
  readonly flushed: Array<() => void>;
  renewsLeases: boolean;
}

const newBatch = (): Batch => ({
  deliveries: [],
  health: new Map(),
  releasedIds: new Set(),
  flushed: [],
  renewsLeases: false,
});

const hasUpdates = ({ deliveries, health, releasedIds, renewsLeases }: Batch): boolean =>
  deliveries.length + health.size + releasedIds.size > 0 || renewsLeases;

export interface WebhookDeliveryRecorderDependencies {
  readonly storage: Storage;
  readonly owner: string;
  readonly clock: () => number;
  readonly onError: (error: unknown) => void;
  /** Called for each attempt. */
  readonly onRecord?: (update: WebhookDeliveryUpdate) => void;
}

/**
 * Writes the results of attempts and all lease changes after the acquisition, in one commit after the other, so that
 * statements of this bridge never wait for each other's row locks.
 */
export class WebhookDeliveryRecorder {
  readonly #dependencies: WebhookDeliveryRecorderDependencies;
  #batch = newBatch();
  #running: Promise<void> | undefined;
  #isClosing = false;
  /** Leases that this owner held at the last renewal are valid until then. */
  renewedUntil = Number.NEGATIVE_INFINITY;

  constructor(dependencies: WebhookDeliveryRecorderDependencies) {
    this.#dependencies = dependencies;
  }

  record(update: WebhookDeliveryUpdate): void {
    this.#batch.deliveries.push(update);
    this.#dependencies.onRecord?.(update);
    this.#start();
  }

  updateHealth(webhookId: string, columns: WebhookHealthColumns): void {
    this.#batch.health.set(webhookId, { webhook_id: webhookId, ...columns });
    this.#start();
  }

  releaseLease(webhookId: string): void {
    this.#batch.releasedIds.add(webhookId);
    this.#start();
  }

  renewLeases(): void {
    this.#batch.renewsLeases = true;
    this.#start();
  }

  /** Resolves when everything recorded so far is in the database. */
  flush(): Promise<void> {
    return new Promise(resolve => {
      this.#batch.flushed.push(resolve);
      this.#start();
    });
  }

  /** Writes the remaining updates. If that fails, the next lease owner delivers those events again. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#running;
  }

  #start(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    for (let failures = 0; ; ) {
      await delay(failures === 0 ? BATCH_WINDOW_MS : RETRY_MS);
      const batch = this.#batch;
      this.#batch = newBatch();
      try {
        await this.#write(batch);
        failures = 0;
      } catch (error) {
        this.#dependencies.onError(error);
        if (!this.#isClosing) {
          failures += 1;
          this.#putBack(batch);
          continue;
        }
      }
      for (const resolve of batch.flushed) resolve();
      if (!hasUpdates(this.#batch) && this.#batch.flushed.length === 0) break;
    }
    this.#running = undefined;
  }

  #putBack(batch: Batch): void {
    const { deliveries, health, releasedIds, flushed, renewsLeases } = this.#batch;
    this.#batch = {
      deliveries: [...batch.deliveries, ...deliveries],
      health: new Map([...batch.health, ...health]),
      releasedIds: new Set([...batch.releasedIds, ...releasedIds]),
      flushed: [...batch.flushed, ...flushed],
      renewsLeases: batch.renewsLeases || renewsLeases,
    };
  }

  async #write(batch: Batch): Promise<void> {
    if (!hasUpdates(batch)) return;
    const { deliveries, health, releasedIds, renewsLeases } = batch;
    const { storage, owner, clock } = this.#dependencies;
    const now = clock();
    await runAsyncCommitTransaction(storage, async db => {
      if (deliveries.length > 0) await this.#writeDeliveries(db, deliveries);
      if (health.size > 0) await this.#writeHealth(db, [...health.values()]);
      if (releasedIds.size > 0) await this.#releaseLeases(db, [...releasedIds]);
      if (renewsLeases) await renewWebhookQueueLeases(db, owner, now);
    });
    if (renewsLeases) this.renewedUntil = now + WEBHOOK_QUEUE_LEASE_MS;
  }

  /** Most deliveries succeed. Their statement has fewer parameters and takes less time. */
  async #writeDeliveries(db: Kysely<Database>, deliveries: readonly WebhookDeliveryUpdate[]): Promise<void> {
    const { engine } = this.#dependencies.storage;
    const succeeded = deliveries.filter(({ status }) => status === 'delivered');
    const others = deliveries.filter(({ status }) => status !== 'delivered');
    if (succeeded.length > 0) {
      await sql`update webhook_deliveries set ${successAssignments}
        from ${createJsonRowsParameter(engine, successColumns, succeeded)} where webhook_deliveries.id = o.id`.execute(
        db,
      );
    }
    if (others.length > 0) {
      await sql`update webhook_deliveries set ${allAssignments}
        from ${createJsonRowsParameter(engine, deliveryColumns, others)} where webhook_deliveries.id = o.id`.execute(
        db,
      );
    }
  }

  async #writeHealth(db: Kysely<Database>, updates: readonly HealthUpdate[]): Promise<void> {
    const { storage, owner } = this.#dependencies;
    await sql`update webhook_lanes set failing_since = o.failing_since, failed_deliveries = o.failed_deliveries,
        backoffs = o.backoffs, resume_at = o.resume_at
      from ${createJsonRowsParameter(storage.engine, healthColumns, updates)}
      where webhook_lanes.webhook_id = o.webhook_id and webhook_lanes.lease_owner = ${owner}`.execute(db);
  }

  async #releaseLeases(db: Kysely<Database>, webhookIds: readonly string[]): Promise<void> {
    const { storage, owner } = this.#dependencies;
    await sql`update webhook_lanes set lease_owner = null, lease_until = 0
      where ${buildIdInExpression(storage.engine, sql`webhook_id`, webhookIds)} and lease_owner = ${owner}`.execute(db);
  }
}
