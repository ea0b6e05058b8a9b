import type { WebhookDeliveryUpdate } from './batched-delivery-and-lease-writer.ts';
import type { PendingWebhookDelivery, WebhookReceiver } from './pending-deliveries.ts';
import { computeNextWebhookAttemptAt } from './retry-policy.ts';
import type { WebhookPostResult } from './webhook-client.ts';
import type { WebhookRequestBody } from './webhook-payload-builder.ts';

export interface WebhookDeliveryAttempt {
  readonly receiver: WebhookReceiver;
  readonly delivery: PendingWebhookDelivery;
  /** Null when the event has been deleted. */
  readonly body: WebhookRequestBody | null;
  readonly result: WebhookPostResult;
  readonly startedAt: number;
}

export const eventDeletedDeliveryResult: WebhookPostResult = {
  responseStatus: null,
  responseBody: null,
  error: 'the event is no longer kept',
  durationMs: 0,
  retryAfterMs: null,
  isUnreachable: false,
};

const GONE = 410;

const toCommonColumns = ({ receiver, delivery, body, result, startedAt }: WebhookDeliveryAttempt) => ({
  id: delivery.id,
  attempts: delivery.attempts + 1,
  request_url: receiver.url,
  response_status: result.responseStatus,
  response_body: result.responseBody,
  error: result.error,
  duration_ms: result.durationMs,
  last_attempt_at: startedAt,
  tried_since: delivery.tried_since ?? startedAt,
  note: body?.note ?? null,
});

export const toSuccessfulDeliveryUpdate = (attempt: WebhookDeliveryAttempt): WebhookDeliveryUpdate => ({
  ...toCommonColumns(attempt),
  status: 'delivered',
  next_attempt_at: null,
  body: null,
  awaits_receiver: 0,
});

/** Stores the time of the next attempt and the body, so that the next attempt sends the same body. */
export const toFailedDeliveryUpdate = (
  attempt: WebhookDeliveryAttempt,
  now: number,
  random: number,
): WebhookDeliveryUpdate => {
  const columns = toCommonColumns(attempt);
  const { attempts, tried_since } = columns;
  const { body, result } = attempt;
  const { retryAfterMs, isUnreachable } = result;
  const canRetry = body !== null && result.responseStatus !== GONE;
  const next = canRetry
    ? computeNextWebhookAttemptAt({ attempts, triedSince: tried_since, now, retryAfterMs, random })
    : null;
  return next === null || body === null
    ? { ...columns, status: 'failed', next_attempt_at: null, body: null, awaits_receiver: 0 }
    : { ...columns, status: 'pending', next_attempt_at: next, body: body.text, awaits_receiver: isUnreachable ? 1 : 0 };
};
