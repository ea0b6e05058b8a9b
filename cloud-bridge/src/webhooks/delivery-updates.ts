import type { DeliveryUpdate } from './delivery-recorder.ts';
import type { PendingDelivery, WebhookReceiver } from './pending-deliveries.ts';
import { nextAttemptAt } from './retry-policy.ts';
import type { WebhookPostResult } from './webhook-client.ts';

export interface DeliveryAttempt {
  readonly receiver: WebhookReceiver;
  readonly delivery: PendingDelivery;
  /** Null when the event has been deleted. */
  readonly body: string | null;
  readonly result: WebhookPostResult;
  readonly startedAt: number;
}

export const eventDeletedResult: WebhookPostResult = {
  responseStatus: null,
  responseBody: null,
  error: 'the event is no longer kept',
  durationMs: 0,
  retryAfterMs: null,
};

const toCommonColumns = ({ receiver, delivery, result, startedAt }: DeliveryAttempt) => ({
  id: delivery.id,
  attempts: delivery.attempts + 1,
  request_url: receiver.url,
  response_status: result.responseStatus,
  response_body: result.responseBody,
  error: result.error,
  duration_ms: result.durationMs,
  last_attempt_at: startedAt,
  tried_since: delivery.tried_since ?? startedAt,
});

export const toSuccessUpdate = (attempt: DeliveryAttempt): DeliveryUpdate => ({
  ...toCommonColumns(attempt),
  status: 'delivered',
  next_attempt_at: null,
  body: null,
});

/** Stores the time of the next attempt and the body, so that the next attempt sends the same body. */
export const toFailureUpdate = (attempt: DeliveryAttempt, now: number, random: number): DeliveryUpdate => {
  const columns = toCommonColumns(attempt);
  const { attempts, tried_since } = columns;
  const { retryAfterMs } = attempt.result;
  const next =
    attempt.body === null ? null : nextAttemptAt({ attempts, triedSince: tried_since, now, retryAfterMs, random });
  return next === null
    ? { ...columns, status: 'failed', next_attempt_at: null, body: null }
    : { ...columns, status: 'pending', next_attempt_at: next, body: attempt.body };
};
