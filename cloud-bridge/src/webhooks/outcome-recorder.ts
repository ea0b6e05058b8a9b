import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { WebhookDeliveryRow } from '../storage/delivery-schema.ts';
import type { Storage } from '../storage/open-storage.ts';
import { relaxedTransaction } from '../storage/relaxed-transaction.ts';
import type { Database } from '../storage/schema.ts';
import { LEASE_MS, renewLanes } from './lanes.ts';
import { rowSet } from './row-set.ts';

/** What a delivery's row says after an attempt. */
export type Outcome = Omit<
  WebhookDeliveryRow,
  'organization_id' | 'webhook_id' | 'event_id' | 'created_at' | 'position'
>;

interface LaneChange {
  readonly webhook_id: string;
  readonly failing_since: number | null;
  /** 1: the lease is given back. */
  readonly released: 0 | 1;
}

const outcomeColumns = {
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
} as const satisfies Record<keyof Outcome, 'text' | 'int'>;

const assignments = sql.raw(
  Object.keys(outcomeColumns)
    .filter(name => name !== 'id')
    .map(name => `${name} = o.${name}`)
    .join(', '),
);

const laneColumns = { webhook_id: 'text', failing_since: 'int', released: 'int' } as const;

/** Nobody waits for a record but the next batch of its own lane: a few milliseconds gather many into one commit. */
const GATHER_MS = 20;
const RETRY_MS = 500;

interface Batch {
  readonly outcomes: Outcome[];
  readonly lanes: Map<string, LaneChange>;
  readonly waiting: Array<() => void>;
  renews: boolean;
}

const newBatch = (): Batch => ({ outcomes: [], lanes: new Map(), waiting: [], renews: false });

export interface RecorderDependencies {
  readonly storage: Storage;
  readonly owner: string;
  readonly clock: () => number;
  readonly onError: (error: unknown) => void;
}

/**
 * Writes what came of the attempts, and everything about our leases after the claim, one commit after the other: two
 * statements of ours never wait for one another's rows.
 */
export class OutcomeRecorder {
  readonly #dependencies: RecorderDependencies;
  #batch = newBatch();
  #running: Promise<void> | undefined;
  #closing = false;
  /** All lanes that were ours at the last renewal are ours until then. */
  renewedUntil = Number.NEGATIVE_INFINITY;

  constructor(dependencies: RecorderDependencies) {
    this.#dependencies = dependencies;
  }

  record(outcome: Outcome): void {
    this.#batch.outcomes.push(outcome);
    this.#start();
  }

  changeLane(change: LaneChange): void {
    this.#batch.lanes.set(change.webhook_id, change);
    this.#start();
  }

  renew(): void {
    this.#batch.renews = true;
    this.#start();
  }

  /** All that was said until now is in the database. */
  written(): Promise<void> {
    return new Promise(resolve => {
      this.#batch.waiting.push(resolve);
      this.#start();
    });
  }

  /** Writes what is left; what cannot be written now is delivered again by whoever comes next. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#running;
  }

  #start(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    for (let failures = 0; ; ) {
      await delay(failures === 0 ? GATHER_MS : RETRY_MS);
      const batch = this.#batch;
      this.#batch = newBatch();
      try {
        await this.#write(batch);
        failures = 0;
      } catch (error) {
        this.#dependencies.onError(error);
        if (!this.#closing) {
          failures += 1;
          this.#putBack(batch);
          continue;
        }
      }
      for (const resolve of batch.waiting) resolve();
      const next = this.#batch;
      if (next.outcomes.length + next.lanes.size + next.waiting.length === 0 && !next.renews) break;
    }
    this.#running = undefined;
  }

  #putBack(batch: Batch): void {
    const { outcomes, lanes, waiting, renews } = this.#batch;
    this.#batch = {
      outcomes: [...batch.outcomes, ...outcomes],
      lanes: new Map([...batch.lanes, ...lanes]),
      waiting: [...batch.waiting, ...waiting],
      renews: batch.renews || renews,
    };
  }

  async #write({ outcomes, lanes, renews }: Batch): Promise<void> {
    if (outcomes.length + lanes.size === 0 && !renews) return;
    const { storage, owner, clock } = this.#dependencies;
    const now = clock();
    await relaxedTransaction(storage, async db => {
      if (outcomes.length > 0) await this.#writeOutcomes(db, outcomes);
      if (lanes.size > 0) await this.#writeLanes(db, [...lanes.values()]);
      if (renews) await renewLanes(db, owner, now);
    });
    if (renews) this.renewedUntil = now + LEASE_MS;
  }

  async #writeOutcomes(db: Kysely<Database>, outcomes: readonly Outcome[]): Promise<void> {
    const { engine } = this.#dependencies.storage;
    await sql`update webhook_deliveries set ${assignments} from ${rowSet(engine, outcomeColumns, outcomes)}
      where webhook_deliveries.id = o.id`.execute(db);
  }

  async #writeLanes(db: Kysely<Database>, changes: readonly LaneChange[]): Promise<void> {
    const { storage, owner } = this.#dependencies;
    await sql`update webhook_lanes set failing_since = o.failing_since,
        lease_owner = case when o.released = 1 then null else lease_owner end,
        lease_until = case when o.released = 1 then 0 else lease_until end
      from ${rowSet(storage.engine, laneColumns, changes)}
      where webhook_lanes.webhook_id = o.webhook_id and webhook_lanes.lease_owner = ${owner}`.execute(db);
  }
}
