import { sql } from 'kysely';
import { createInvalidFieldError, createNotFoundError } from '../http/api-error.ts';
import type { WebhookDeliveryRow } from '../storage/webhook-and-schedule-trigger-schema.ts';
import type { WebhookRow } from '../storage/schema.ts';
import { findRow, insertRow, updateRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { resumeWebhookReceiver } from './webhooks.ts';

const requireWebhook = async (context: WriteContext, applicationId: string, webhookId: string): Promise<WebhookRow> => {
  const webhook = await findRow(context, 'webhooks', webhookId);
  if (webhook === undefined || webhook.oauth_application_id !== applicationId || webhook.is_deleted === 1) {
    throw createNotFoundError('webhook', webhookId);
  }
  return webhook;
};

const requireEnabled = ({ is_enabled }: WebhookRow): void => {
  if (is_enabled === 0) throw createInvalidFieldError('is_enabled', 'must be true. Enable the webhook first');
};

/** Logs an event about the webhook and delivers it to the webhook only, so that the receiver can be tested. */
export const queueWebhookTestEvent = async (
  context: WriteContext,
  applicationId: string,
  webhookId: string,
): Promise<WebhookDeliveryRow> => {
  requireEnabled(await requireWebhook(context, applicationId, webhookId));
  const { db, now, organizationId } = context;
  const eventId = context.newId('event');
  context.log({ id: eventId, verb: 'check', object: { type: 'webhook', webhook_id: webhookId } });
  const delivery = await insertRow(context, 'webhook_deliveries', {
    id: context.newId('webhook_delivery'),
    organization_id: organizationId,
    webhook_id: webhookId,
    event_id: eventId,
    created_at: now,
    position: now * 1000,
    status: 'pending',
    attempts: 0,
    request_url: null,
    response_status: null,
    response_body: null,
    error: null,
    duration_ms: null,
    last_attempt_at: null,
    next_attempt_at: now,
    tried_since: null,
    body: null,
    note: null,
    awaits_receiver: 0,
  });
  await sql`insert into webhook_lanes (webhook_id, lease_until) values (${webhookId}, 0) on conflict do nothing`.execute(
    db,
  );
  await resumeWebhookReceiver(context, webhookId);
  return delivery;
};

/** Only a pending delivery has its body. All others need the event, which may have been deleted after its retention. */
const requireEvent = async ({ db }: WriteContext, { body, event_id }: WebhookDeliveryRow): Promise<void> => {
  if (body !== null) return;
  const event = await db.selectFrom('events').select('id').where('id', '=', event_id).executeTakeFirst();
  if (event === undefined)
    throw createInvalidFieldError(
      'event_id',
      `refers to the event ${event_id}, which is no longer kept and cannot be delivered again`,
    );
};

/** Delivers the event again, with a new retry window, whatever its previous result. */
export const queueWebhookRedelivery = async (
  context: WriteContext,
  applicationId: string,
  webhookId: string,
  deliveryId: string,
): Promise<WebhookDeliveryRow> => {
  const webhook = await requireWebhook(context, applicationId, webhookId);
  const delivery = await findRow(context, 'webhook_deliveries', deliveryId);
  if (delivery === undefined || delivery.webhook_id !== webhookId)
    throw createNotFoundError('webhook_delivery', deliveryId);
  requireEnabled(webhook);
  await requireEvent(context, delivery);
  const { now } = context;
  const queued = await updateRow(context, 'webhook_deliveries', delivery, {
    status: 'pending',
    attempts: 0,
    next_attempt_at: now,
    tried_since: null,
    awaits_receiver: 0,
  });
  await resumeWebhookReceiver(context, webhookId);
  context.log({ verb: 'use', object: { type: 'webhook', webhook_id: webhookId } });
  return queued;
};
