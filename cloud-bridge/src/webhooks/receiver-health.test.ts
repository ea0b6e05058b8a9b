import { describe, expect, it } from 'vitest';
import {
  computeReceiverHealthAfterFailure,
  healthyWebhookReceiver,
  prefersUntriedEvent,
  type WebhookReceiverHealth,
  toWebhookReceiverHealth,
  toWebhookHealthColumns,
} from './receiver-health.ts';
import type { WebhookPostResult } from './webhook-client.ts';

const response = (responseStatus: number | null, change: Partial<WebhookPostResult> = {}): WebhookPostResult => ({
  responseStatus,
  responseBody: null,
  error: 'failed',
  durationMs: 1,
  retryAfterMs: null,
  isUnreachable: false,
  ...change,
});
const refused = response(null, { isUnreachable: true });

const after = (
  attempts: readonly (readonly [deliveryId: string, result: WebhookPostResult])[],
  health: WebhookReceiverHealth = healthyWebhookReceiver,
): WebhookReceiverHealth =>
  attempts.reduce(
    (previous, [deliveryId, result]) =>
      computeReceiverHealthAfterFailure(previous, { deliveryId, result, startedAt: 900, now: 1000, random: 0.5 }),
    health,
  );

describe('computeReceiverHealthAfterFailure', () => {
  it('does not back off for one event that fails again and again', () => {
    const attempts = Array.from({ length: 10 }, () => ['whd_1', response(500)] as const);
    expect(after(attempts)).toMatchObject({ backoffs: 0, resumeAt: 0, failingSince: 900 });
  });

  it('backs off when three different events fail with server errors or timeouts', () => {
    const two = [['whd_1', response(500)] as const, ['whd_2', response(null)] as const];
    expect(after(two).backoffs).toBe(0);
    expect(after([...two, ['whd_3', response(503)]])).toMatchObject({ backoffs: 1, resumeAt: 4000 });
  });

  it('counts only failures in a row', () => {
    const attempts = [500, 500, 400, 500, 500].map((status, index) => [`whd_${index}`, response(status)] as const);
    expect(after(attempts)).toMatchObject({ backoffs: 0, failingSince: 900 });
  });

  it('doubles the pause of an unreachable receiver from 3 s to 60 s', () => {
    const pauses: number[] = [];
    let health = healthyWebhookReceiver;
    for (let count = 0; count < 7; count++) {
      health = after([['whd_1', refused]], health);
      pauses.push((health.resumeAt - 1000) / 1000);
    }
    expect(pauses).toEqual([3, 6, 12, 24, 48, 60, 60]);
  });

  it('pauses for as long as 429 or 503 with Retry-After demands, within one hour', () => {
    expect(after([['whd_1', response(429)]]).resumeAt).toBe(4000);
    expect(after([['whd_1', response(429, { retryAfterMs: 90_000 })]]).resumeAt).toBe(91_000);
    expect(after([['whd_1', response(503, { retryAfterMs: 90_000 })]]).resumeAt).toBe(91_000);
    expect(after([['whd_1', response(429, { retryAfterMs: 1e9 })]]).resumeAt).toBe(3_601_000);
  });

  it('ends the pauses when the receiver rejects an event, but not the time of failure', () => {
    const down = after([['whd_1', refused]]);
    expect(after([['whd_2', response(404)]], down)).toEqual({ ...healthyWebhookReceiver, failingSince: 900 });
  });
});

describe('prefersUntriedEvent', () => {
  it('is true for every second attempt while server errors continue', () => {
    const failedDeliveries = ['whd_1', 'whd_2', 'whd_3'];
    const health = { ...healthyWebhookReceiver, failedDeliveries };
    expect([1, 2, 3, 4].map(backoffs => prefersUntriedEvent({ ...health, backoffs }))).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  it('is false for an unreachable receiver', () => {
    expect(prefersUntriedEvent(after([['whd_1', refused]], after([['whd_1', refused]])))).toBe(false);
  });
});

describe('toWebhookReceiverHealth', () => {
  it('reads what toWebhookHealthColumns has stored', () => {
    const health = after(['whd_1', 'whd_2', 'whd_3'].map(id => [id, response(500)] as const));
    expect(toWebhookReceiverHealth(toWebhookHealthColumns(health))).toEqual(health);
    expect(toWebhookReceiverHealth(toWebhookHealthColumns(healthyWebhookReceiver))).toBe(healthyWebhookReceiver);
  });
});
