import { createHmac } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { Agent } from 'undici';
import type { WebhookAddressGuard } from '../http/webhook-address-guard.ts';
import { WebhookConnectionError, createGuardedConnector } from './ssrf-protected-connector.ts';
import { parseRetryAfter } from './retry-policy.ts';
import { WebhookExchange, type WebhookReceiverResponse } from './webhook-exchange.ts';

export interface WebhookRequest {
  /** The id of the delivery, the same for all attempts. */
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly body: string;
}

/** `error` is null exactly when the receiver has accepted the event. */
export interface WebhookPostResult {
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly retryAfterMs: number | null;
  /** No connection could be opened: the receiver has not seen this event. */
  readonly isUnreachable: boolean;
}

const TIMEOUT_MS = 10_000;

/** The key is the secret's UTF-8 bytes. A string is imported as a key several times faster than a Buffer. */
const signWebhookBody = (secret: string, body: string): string =>
  createHmac('sha256', secret).update(body, 'utf8').digest('hex');

/** The headers of Standard Webhooks (standardwebhooks.com), with the same key. The timestamp is in seconds. */
const standardWebhooksHeaders = ({ id, secret, body }: WebhookRequest, now: number) => {
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`, 'utf8').digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
};

const reasonOf = ({ message, cause }: Error & { cause?: unknown }): string => {
  const text = message === '' && cause instanceof Error ? cause.message : message;
  return text.slice(0, 300) || 'the connection failed';
};

/** Sends signed events. Does not follow redirects. */
export class WebhookClient {
  readonly #agent: Agent;
  readonly #clock: () => number;

  constructor(guard: WebhookAddressGuard, clock: () => number) {
    this.#agent = new Agent({ connect: createGuardedConnector(guard), headersTimeout: 0, bodyTimeout: 0 });
    this.#clock = clock;
  }

  post(request: WebhookRequest): Promise<WebhookPostResult> {
    const started = performance.now();
    const noResponse = { responseStatus: null, responseBody: null, retryAfterMs: null, isUnreachable: false };
    const durationMs = (): number => Math.round(performance.now() - started);
    return new Promise(resolve => {
      const exchange = new WebhookExchange(TIMEOUT_MS, {
        responded: response => resolve({ ...noResponse, ...this.#toResult(response), durationMs: durationMs() }),
        failed: error => {
          const isUnreachable = error instanceof WebhookConnectionError;
          resolve({ ...noResponse, isUnreachable, error: reasonOf(error), durationMs: durationMs() });
        },
      });
      this.#send(request, exchange);
    });
  }

  /** Requests that are not complete fail. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #send(request: WebhookRequest, exchange: WebhookExchange): void {
    const { url, secret, body } = request;
    try {
      const { origin, pathname, search } = new URL(url);
      this.#agent.dispatch(
        {
          origin,
          path: pathname + search,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'user-agent': 'Lintel-Webhooks/1',
            'x-service-sig-sha256': signWebhookBody(secret, body),
            ...standardWebhooksHeaders(request, this.#clock()),
          },
          body,
        },
        exchange,
      );
    } catch (error) {
      exchange.onResponseError(null, error as Error);
    }
  }

  #toResult({
    status,
    retryAfter,
    excerpt,
  }: WebhookReceiverResponse): Partial<WebhookPostResult> & { error: string | null } {
    if (status >= 200 && status < 300) return { responseStatus: status, error: null };
    return {
      responseStatus: status,
      responseBody: excerpt,
      error: `the receiver answered ${status}`,
      retryAfterMs: parseRetryAfter(retryAfter, this.#clock()),
    };
  }
}
