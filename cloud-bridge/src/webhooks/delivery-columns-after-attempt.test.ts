import { describe, expect, it } from 'vitest';
import {
  eventDeletedDeliveryResult,
  toFailedDeliveryUpdate,
  toSuccessfulDeliveryUpdate,
  type WebhookDeliveryAttempt,
} from './delivery-columns-after-attempt.ts';
import type { PendingWebhookDelivery, WebhookReceiver } from './pending-deliveries.ts';
import { WEBHOOK_RETRY_WINDOW_MS } from './retry-policy.ts';

const delivery: PendingWebhookDelivery = {
  id: 'whd_1',
  event_id: 'evt_1',
  position: 1,
  attempts: 0,
  tried_since: null,
  body: null,
  note: null,
};
const newAttempt = (change: Partial<WebhookDeliveryAttempt> = {}): WebhookDeliveryAttempt => ({
  receiver: { url: 'https://example.com/hook' } as WebhookReceiver,
  delivery,
  body: { text: '{"id":"evt_1"}', note: null },
  result: {
    responseStatus: 503,
    responseBody: 'busy',
    error: 'failed',
    durationMs: 12,
    retryAfterMs: null,
    isUnreachable: false,
  },
  startedAt: 1000,
  ...change,
});

describe('toSuccessfulDeliveryUpdate', () => {
  it('ends the delivery and drops the body', () => {
    const result = { ...newAttempt().result, responseStatus: 200, responseBody: null, error: null, durationMs: 5 };
    expect(toSuccessfulDeliveryUpdate(newAttempt({ result }))).toEqual({
      id: 'whd_1',
      status: 'delivered',
      attempts: 1,
      request_url: 'https://example.com/hook',
      response_status: 200,
      response_body: null,
      error: null,
      duration_ms: 5,
      last_attempt_at: 1000,
      next_attempt_at: null,
      tried_since: 1000,
      body: null,
      note: null,
      awaits_receiver: 0,
    });
  });
});

describe('toFailedDeliveryUpdate', () => {
  it('schedules the next attempt and keeps the body', () => {
    expect(toFailedDeliveryUpdate(newAttempt(), 1100, 0.5)).toMatchObject({
      status: 'pending',
      attempts: 1,
      next_attempt_at: 4100,
      tried_since: 1000,
      body: '{"id":"evt_1"}',
      error: 'failed',
      response_body: 'busy',
    });
  });

  it('measures the retry window from the first attempt, not from the last', () => {
    const late = newAttempt({
      delivery: { ...delivery, attempts: 4, tried_since: 0 },
      startedAt: WEBHOOK_RETRY_WINDOW_MS - 1000,
    });
    expect(toFailedDeliveryUpdate(late, WEBHOOK_RETRY_WINDOW_MS - 1000, 0.5)).toMatchObject({
      status: 'failed',
      attempts: 5,
      next_attempt_at: null,
      tried_since: 0,
      body: null,
    });
  });

  it('waits as long as Retry-After demands', () => {
    const result = { ...newAttempt().result, retryAfterMs: 90_000 };
    expect(toFailedDeliveryUpdate(newAttempt({ result }), 1100, 0.5).next_attempt_at).toBe(91_100);
  });

  it('fails at once when the receiver answers 410 Gone', () => {
    const result = { ...newAttempt().result, responseStatus: 410 };
    expect(toFailedDeliveryUpdate(newAttempt({ result }), 1100, 0.5)).toMatchObject({
      status: 'failed',
      next_attempt_at: null,
      body: null,
    });
  });

  it('marks an event that waits for an unreachable receiver', () => {
    const result = { ...newAttempt().result, responseStatus: null, isUnreachable: true };
    expect(toFailedDeliveryUpdate(newAttempt({ result }), 1100, 0.5).awaits_receiver).toBe(1);
    expect(toFailedDeliveryUpdate(newAttempt(), 1100, 0.5).awaits_receiver).toBe(0);
  });

  it('keeps the note about a body without expands', () => {
    const body = { text: '{}', note: 'sent without expands' };
    expect(toFailedDeliveryUpdate(newAttempt({ body }), 1100, 0.5)).toMatchObject({
      body: '{}',
      note: 'sent without expands',
    });
  });

  it('fails at once when the event has been deleted', () => {
    const attempt = newAttempt({ body: null, result: eventDeletedDeliveryResult });
    expect(toFailedDeliveryUpdate(attempt, 1100, 0.5)).toMatchObject({ status: 'failed', next_attempt_at: null });
  });
});
