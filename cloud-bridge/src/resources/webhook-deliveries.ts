import { invalidFieldError, notFoundError } from '../http/api-error.ts';
import type { WebhookDeliveryRow } from '../storage/delivery-schema.ts';
import { findRow, updateRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { resumeReceiver } from './webhooks.ts';

/** Delivers the event again, with a new retry window, whatever its previous result. */
export const redeliverEvent = async (
  context: WriteContext,
  applicationId: string,
  webhookId: string,
  deliveryId: string,
): Promise<WebhookDeliveryRow> => {
  const webhook = await findRow(context, 'webhooks', webhookId);
  if (webhook === undefined || webhook.oauth_application_id !== applicationId || webhook.is_deleted === 1) {
    throw notFoundError('webhook', webhookId);
  }
  const delivery = await findRow(context, 'webhook_deliveries', deliveryId);
  if (delivery === undefined || delivery.webhook_id !== webhookId) throw notFoundError('webhook_delivery', deliveryId);
  if (webhook.is_enabled === 0) throw invalidFieldError('is_enabled', 'The webhook is disabled. Enable it first');
  const { now } = context;
  const queued = await updateRow(context, 'webhook_deliveries', delivery, {
    status: 'pending',
    attempts: 0,
    next_attempt_at: now,
    tried_since: null,
    awaits_receiver: 0,
  });
  await resumeReceiver(context, webhookId);
  context.log({ verb: 'use', object: { type: 'webhook', webhook_id: webhookId } });
  return queued;
};
