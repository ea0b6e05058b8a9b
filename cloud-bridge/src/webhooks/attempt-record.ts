import type { Outcome } from './outcome-recorder.ts';
import type { PendingDelivery, Receiver } from './pending-deliveries.ts';
import { nextAttempt } from './retry-policy.ts';
import type { Attempt } from './webhook-client.ts';

export interface Tried {
  readonly receiver: Receiver;
  readonly delivery: PendingDelivery;
  /** Null when the event itself is no longer there. */
  readonly body: string | null;
  readonly attempt: Attempt;
  readonly startedAt: number;
}

export const eventIsGone: Attempt = {
  responseStatus: null,
  responseBody: null,
  error: 'the event is no longer kept',
  durationMs: 0,
  retryAfterMs: null,
};

const what = ({ receiver, delivery, attempt, startedAt }: Tried) => ({
  id: delivery.id,
  attempts: delivery.attempts + 1,
  request_url: receiver.url,
  response_status: attempt.responseStatus,
  response_body: attempt.responseBody,
  error: attempt.error,
  duration_ms: attempt.durationMs,
  last_attempt_at: startedAt,
  tried_since: delivery.tried_since ?? startedAt,
});

export const successRecord = (tried: Tried): Outcome => ({
  ...what(tried),
  status: 'delivered',
  next_attempt_at: null,
  body: null,
});

/** With the time of the next attempt, and with what was sent, so that the next one sends the same. */
export const failureRecord = (tried: Tried, now: number, random: number): Outcome => {
  const record = what(tried);
  const { attempts, tried_since } = record;
  const { retryAfterMs } = tried.attempt;
  const next =
    tried.body === null ? null : nextAttempt({ attempts, triedSince: tried_since, now, retryAfterMs, random });
  return next === null
    ? { ...record, status: 'failed', next_attempt_at: null, body: null }
    : { ...record, status: 'pending', next_attempt_at: next, body: tried.body };
};
