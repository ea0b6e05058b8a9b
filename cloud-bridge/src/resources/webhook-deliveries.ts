import { invalid, notFound } from '../http/api-error.ts';
import type { WebhookDeliveryRow } from '../storage/delivery-schema.ts';
import { findRow, updateRow } from '../transactions/rows.ts';
import type { WriteContext } from '../transactions/writer.ts';

/** Sends the event once more, now and with a new hour of retries, whatever became of it before. */
export const redeliver = async (
  context: WriteContext,
  applicationId: string,
  webhookId: string,
  deliveryId: string,
): Promise<WebhookDeliveryRow> => {
  const webhook = await findRow(context, 'webhooks', webhookId);
  if (webhook === undefined || webhook.oauth_application_id !== applicationId || webhook.is_deleted === 1) {
    throw notFound('webhook', webhookId);
  }
  const delivery = await findRow(context, 'webhook_deliveries', deliveryId);
  if (delivery === undefined || delivery.webhook_id !== webhookId) throw notFound('webhook_delivery', deliveryId);
  if (webhook.is_enabled === 0) throw invalid('is_enabled', 'The webhook is disabled: enable it first');
  const { now } = context;
  const ordered = await updateRow(context, 'webhook_deliveries', delivery, {
    status: 'pending',
    attempts: 0,
    next_attempt_at: now,
    tried_since: null,
  });
  context.log({ verb: 'use', object: { type: 'webhook', webhook_id: webhookId } });
  return ordered;
};
