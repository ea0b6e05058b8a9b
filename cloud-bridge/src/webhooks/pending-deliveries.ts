import type { Kysely } from 'kysely';
import type { WebhookDeliveryRow } from '../storage/webhook-and-schedule-trigger-schema.ts';
import { sqlFragment } from '../storage/sql-fragment.ts';
import type { SqlQueryRunner } from '../storage/sql-query-runner.ts';
import type { Database, WebhookRow } from '../storage/schema.ts';
import type { WebhookHealthColumns } from './receiver-health.ts';
import { WEBHOOK_RETRY_WINDOW_MS } from './retry-policy.ts';

/** The columns of a webhook that its queue worker needs. */
export type WebhookReceiver = Pick<
  WebhookRow,
  'id' | 'organization_id' | 'oauth_application_id' | 'url' | 'expand' | 'sealed_secret' | 'is_enabled' | 'is_deleted'
> &
  WebhookHealthColumns & {
    /** Null until the webhook is reported as failing. */
    readonly reported_since: number | null;
  };

export const findWebhookReceiver = async (
  rows: SqlQueryRunner,
  webhookId: string,
): Promise<WebhookReceiver | undefined> => {
  const [receiver] =
    await rows.read<WebhookReceiver>(sqlFragment`select w.id, w.organization_id, w.oauth_application_id, w.url,
      w.expand, w.sealed_secret, w.is_enabled, w.is_deleted, w.failing_since as reported_since,
      l.failing_since, l.failed_deliveries, l.backoffs, l.resume_at
    from webhooks as w join webhook_lanes as l on l.webhook_id = w.id where w.id = ${webhookId}`);
  return receiver;
};

export type PendingWebhookDelivery = Pick<
  WebhookDeliveryRow,
  'id' | 'event_id' | 'position' | 'attempts' | 'tried_since' | 'body' | 'note'
>;

const columns = sqlFragment`id, event_id, position, attempts, tried_since, body, note`;

/** The first due deliveries after a position, in the order of their events. */
export const listDueWebhookDeliveries = (
  rows: SqlQueryRunner,
  query: { readonly webhookId: string; readonly after: number; readonly now: number; readonly limit: number },
): Promise<PendingWebhookDelivery[]> =>
  rows.read(sqlFragment`select ${columns} from webhook_deliveries
    where webhook_id = ${query.webhookId} and status = 'pending' and position > ${query.after}
      and next_attempt_at <= ${query.now}
    order by position limit ${query.limit}`);

/** The oldest due delivery that was never attempted. */
export const listOldestUntriedWebhookDelivery = (
  rows: SqlQueryRunner,
  webhookId: string,
  now: number,
): Promise<PendingWebhookDelivery[]> =>
  rows.read(sqlFragment`select ${columns} from webhook_deliveries
    where webhook_id = ${webhookId} and status = 'pending' and next_attempt_at <= ${now} and attempts = 0
    order by position limit 1`);

/** The time of the next attempt for any event; null without pending deliveries. */
export const findNextWebhookAttemptAt = async (rows: SqlQueryRunner, webhookId: string): Promise<number | null> => {
  const [next] = await rows.read<{ at: number | null }>(sqlFragment`select min(next_attempt_at) as at
    from webhook_deliveries where webhook_id = ${webhookId} and status = 'pending'`);
  return next?.at ?? null;
};

export const failPendingWebhookDeliveries = async (
  db: Kysely<Database>,
  webhookId: string,
  error: string,
): Promise<void> => {
  await pendingDeliveries(db, webhookId)
    .set({ ...ended, error })
    .execute();
};

/**
 * Call when the receiver has failed as a whole. Its due events wait without an attempt of their own. Their retry window
 * starts now, and those whose window has ended fail.
 */
export const startWebhookRetryWindowsAndFailExpired = async (
  db: Kysely<Database>,
  webhookId: string,
  { now, reason }: { readonly now: number; readonly reason: string },
): Promise<void> => {
  await pendingDeliveries(db, webhookId)
    .set({ tried_since: now })
    .where('tried_since', 'is', null)
    .where('next_attempt_at', '<=', now)
    .execute();
  await pendingDeliveries(db, webhookId)
    .set({ ...ended, error: `the receiver failed for one hour: ${reason}` })
    .where('tried_since', '<=', now - WEBHOOK_RETRY_WINDOW_MS)
    .execute();
};

/** Call when the receiver works again: events that failed only because it was unreachable are due now. */
export const resumeWebhookDeliveries = async (db: Kysely<Database>, webhookId: string, now: number): Promise<void> => {
  await pendingDeliveries(db, webhookId)
    .set({ next_attempt_at: now, awaits_receiver: 0 })
    .where('awaits_receiver', '=', 1)
    .execute();
};

const ended = { status: 'failed', next_attempt_at: null, body: null, awaits_receiver: 0 } as const;

const pendingDeliveries = (db: Kysely<Database>, webhookId: string) =>
  db.updateTable('webhook_deliveries').where('webhook_id', '=', webhookId).where('status', '=', 'pending');
