import { createHmac } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { Agent, type Dispatcher } from 'undici';
import type { WebhookAddressGuard } from '../http/webhook-address-guard.ts';
import { WebhookConnectionError, createGuardedConnector } from './ssrf-protected-connector.ts';
import { parseRetryAfter } from './retry-policy.ts';

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
/** The body of a successful response is discarded, but must be read before the connection can be reused. */
const MAX_BODY_BYTES = 64 * 1024;
const MAX_EXCERPT_CHARS = 1000;

/** The key is the secret's UTF-8 bytes. A string is imported as a key several times faster than a Buffer. */
export const signWebhookBody = (secret: string, body: string): string =>
  createHmac('sha256', secret).update(body, 'utf8').digest('hex');

/** The headers of Standard Webhooks (standardwebhooks.com), with the same key. The timestamp is in seconds. */
const standardWebhooksHeaders = ({ id, secret, body }: WebhookRequest, now: number) => {
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`, 'utf8').digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
};

const readExcerpt = async (body: Dispatcher.ResponseData['body']): Promise<string> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_EXCERPT_CHARS) break;
  }
  return Buffer.concat(chunks).toString('utf8').replaceAll('\0', '').slice(0, MAX_EXCERPT_CHARS);
};

const reasonOf = (error: unknown, timedOut: boolean): string => {
  if (timedOut) return `no answer within ${TIMEOUT_MS / 1000} s`;
  const { message, cause } = error as Error & { cause?: unknown };
  const text = message === '' && cause instanceof Error ? cause.message : message;
  return text.slice(0, 300) || 'the connection failed';
};

/** Sends signed events. Does not follow redirects. */
export class WebhookClient {
  readonly #agent: Agent;
  readonly #clock: () => number;

  constructor(guard: WebhookAddressGuard, clock: () => number) {
    this.#agent = new Agent({
      connect: createGuardedConnector(guard),
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    this.#clock = clock;
  }

  async post(request: WebhookRequest, canceled: AbortSignal): Promise<WebhookPostResult> {
    const started = performance.now();
    const timeout = new AbortController();
    const abort = (): void => timeout.abort();
    const timer = setTimeout(abort, TIMEOUT_MS);
    canceled.addEventListener('abort', abort);
    const noResponse = { responseStatus: null, responseBody: null, retryAfterMs: null, isUnreachable: false };
    try {
      const response = await this.#request(request, timeout.signal);
      return { ...noResponse, ...response, durationMs: Math.round(performance.now() - started) };
    } catch (error) {
      const reason = reasonOf(error, timeout.signal.aborted);
      const isUnreachable = error instanceof WebhookConnectionError;
      return { ...noResponse, isUnreachable, error: reason, durationMs: Math.round(performance.now() - started) };
    } finally {
      clearTimeout(timer);
      canceled.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #request(
    request: WebhookRequest,
    signal: AbortSignal,
  ): Promise<Partial<WebhookPostResult> & { error: string | null }> {
    const { url, secret, body } = request;
    const { origin, pathname, search } = new URL(url);
    const response = await this.#agent.request({
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
      signal,
    });
    const responseStatus = response.statusCode;
    if (responseStatus >= 200 && responseStatus < 300) {
      await response.body.dump({ limit: MAX_BODY_BYTES });
      return { responseStatus, error: null };
    }
    const retryAfter = response.headers['retry-after'];
    return {
      responseStatus,
      responseBody: await readExcerpt(response.body),
      error: `the receiver answered ${responseStatus}`,
      retryAfterMs: parseRetryAfter(Array.isArray(retryAfter) ? retryAfter[0] : retryAfter, this.#clock()),
    };
  }
}
