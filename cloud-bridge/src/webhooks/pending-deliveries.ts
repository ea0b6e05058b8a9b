import type { Kysely } from 'kysely';
import type { WebhookDeliveryRow } from '../storage/delivery-schema.ts';
import { sqlFragment } from '../storage/sql-fragment.ts';
import type { RowReader } from '../storage/row-reader.ts';
import type { Database, WebhookRow } from '../storage/schema.ts';

/** The columns of a webhook that its queue worker needs. */
export type WebhookReceiver = Pick<
  WebhookRow,
  'id' | 'organization_id' | 'oauth_application_id' | 'url' | 'expand' | 'sealed_secret' | 'is_enabled' | 'is_deleted'
> & { readonly failing_since: number | null };

export const findWebhookReceiver = async (rows: RowReader, webhookId: string): Promise<WebhookReceiver | undefined> => {
  const [receiver] =
    await rows.read<WebhookReceiver>(sqlFragment`select w.id, w.organization_id, w.oauth_application_id, w.url,
      w.expand, w.sealed_secret, w.is_enabled, w.is_deleted, l.failing_since
    from webhooks as w join webhook_lanes as l on l.webhook_id = w.id where w.id = ${webhookId}`);
  return receiver;
};

export type PendingDelivery = Pick<
  WebhookDeliveryRow,
  'id' | 'event_id' | 'position' | 'attempts' | 'next_attempt_at' | 'tried_since' | 'body'
>;

/** The first pending deliveries after a position, in the order of their events. */
export const findPendingDeliveries = (
  rows: RowReader,
  webhookId: string,
  after: number,
  limit: number,
): Promise<PendingDelivery[]> =>
  rows.read(sqlFragment`select id, event_id, position, attempts, next_attempt_at, tried_since, body
    from webhook_deliveries where webhook_id = ${webhookId} and status = 'pending' and position > ${after}
    order by position limit ${limit}`);

export const failPendingDeliveries = async (db: Kysely<Database>, webhookId: string, error: string): Promise<void> => {
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', error, next_attempt_at: null, body: null })
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'pending')
    .execute();
};
