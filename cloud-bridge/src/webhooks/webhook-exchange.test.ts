import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebhookExchange } from './webhook-exchange.ts';

const TIMEOUT_MS = 10_000;

const open = () => {
  const listener = { responded: vi.fn(), failed: vi.fn() };
  const controller = { abort: vi.fn(), pause: vi.fn(), resume: vi.fn(), aborted: false, paused: false, reason: null };
  return { listener, controller, exchange: new WebhookExchange(TIMEOUT_MS, listener) };
};

describe('WebhookExchange', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('fails after the timeout, also in the middle of a response', () => {
    const { exchange, listener, controller } = open();
    exchange.onRequestStart(controller);
    exchange.onResponseStart(controller, 200, {});
    vi.advanceTimersByTime(TIMEOUT_MS);
    expect(listener.failed).toHaveBeenCalledExactlyOnceWith(new Error('no answer within 10 s'));
    expect(controller.abort).toHaveBeenCalledOnce();
    exchange.onResponseEnd();
    expect(listener.responded).not.toHaveBeenCalled();
  });

  it('does not send a request whose time is over before the connection is open', () => {
    const { exchange, controller } = open();
    vi.advanceTimersByTime(TIMEOUT_MS);
    exchange.onRequestStart(controller);
    expect(controller.abort).toHaveBeenCalledOnce();
  });

  it('reports the status, the retry time and the beginning of an error response', () => {
    const { exchange, listener, controller } = open();
    exchange.onRequestStart(controller);
    exchange.onResponseStart(controller, 503, { 'retry-after': ['7', '8'] });
    exchange.onResponseData(controller, Buffer.from('a\0b'));
    exchange.onResponseData(controller, Buffer.from('x'.repeat(5000)));
    exchange.onResponseEnd();
    const excerpt = `ab${'x'.repeat(998)}`;
    expect(listener.responded).toHaveBeenCalledExactlyOnceWith({ status: 503, retryAfter: '7', excerpt });
    vi.advanceTimersByTime(TIMEOUT_MS);
    expect(listener.failed).not.toHaveBeenCalled();
  });
});
