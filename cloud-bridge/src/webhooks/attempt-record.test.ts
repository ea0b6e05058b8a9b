import { describe, expect, it } from 'vitest';
import { eventIsGone, failureRecord, successRecord, type Tried } from './attempt-record.ts';
import type { PendingDelivery, Receiver } from './pending-deliveries.ts';
import { RETRY_WINDOW_MS } from './retry-policy.ts';

const delivery: PendingDelivery = {
  id: 'whd_1',
  event_id: 'evt_1',
  position: 1,
  attempts: 0,
  next_attempt_at: 0,
  tried_since: null,
  body: null,
};
const tried = (change: Partial<Tried> = {}): Tried => ({
  receiver: { url: 'https://example.com/hook' } as Receiver,
  delivery,
  body: '{"id":"evt_1"}',
  attempt: { responseStatus: 503, responseBody: 'busy', error: 'failed', durationMs: 12, retryAfterMs: null },
  startedAt: 1000,
  ...change,
});

describe('successRecord', () => {
  it('ends the delivery and drops the body', () => {
    const attempt = { responseStatus: 200, responseBody: null, error: null, durationMs: 5, retryAfterMs: null };
    expect(successRecord(tried({ attempt }))).toEqual({
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
    });
  });
});

describe('failureRecord', () => {
  it('schedules the next attempt and keeps what was sent', () => {
    expect(failureRecord(tried(), 1100, 0.5)).toMatchObject({
      status: 'pending',
      attempts: 1,
      next_attempt_at: 4100,
      tried_since: 1000,
      body: '{"id":"evt_1"}',
      error: 'failed',
      response_body: 'busy',
    });
  });

  it('counts the hour from the first attempt, not from the last', () => {
    const late = tried({ delivery: { ...delivery, attempts: 4, tried_since: 0 }, startedAt: RETRY_WINDOW_MS - 1000 });
    expect(failureRecord(late, RETRY_WINDOW_MS - 1000, 0.5)).toMatchObject({
      status: 'failed',
      attempts: 5,
      next_attempt_at: null,
      tried_since: 0,
      body: null,
    });
  });

  it('waits as long as the receiver asks', () => {
    const attempt = { ...tried().attempt, retryAfterMs: 90_000 };
    expect(failureRecord(tried({ attempt }), 1100, 0.5).next_attempt_at).toBe(91_100);
  });

  it('gives up at once when the event no longer exists', () => {
    const gone = tried({ body: null, attempt: eventIsGone });
    expect(failureRecord(gone, 1100, 0.5)).toMatchObject({ status: 'failed', next_attempt_at: null });
  });
});
