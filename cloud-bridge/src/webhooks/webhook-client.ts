import { createHmac } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { Agent, type Dispatcher } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { guardedConnector } from './guarded-connector.ts';
import { parseRetryAfter } from './retry-policy.ts';

export interface Posting {
  readonly url: string;
  readonly secret: string;
  readonly body: string;
}

/** What came of one attempt. `error` is null exactly when the receiver has taken the event. */
export interface Attempt {
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly retryAfterMs: number | null;
}

const TIMEOUT_MS = 10_000;
/** Of a success nothing is kept, but the connection can be used again only when the answer has been read. */
const MOST_READ = 64 * 1024;
const EXCERPT = 1000;

/** The key is the secret's UTF-8 bytes. Given as text it is that, and made into a key several times faster than a Buffer. */
export const signature = (secret: string, body: string): string =>
  createHmac('sha256', secret).update(body, 'utf8').digest('hex');

const readExcerpt = async (body: Dispatcher.ResponseData['body']): Promise<string> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= EXCERPT) break;
  }
  return Buffer.concat(chunks).toString('utf8').replaceAll('\0', '').slice(0, EXCERPT);
};

const reasonOf = (error: unknown, timedOut: boolean): string => {
  if (timedOut) return `no answer within ${TIMEOUT_MS / 1000} s`;
  const { message, cause } = error as Error & { cause?: unknown };
  const text = message === '' && cause instanceof Error ? cause.message : message;
  return text.slice(0, 300) || 'the connection failed';
};

/** Sends signed events. Redirects are not followed: the receiver that was chosen has to answer itself. */
export class WebhookClient {
  readonly #agent: Agent;
  readonly #clock: () => number;

  constructor(guard: AddressGuard, clock: () => number) {
    this.#agent = new Agent({ connect: guardedConnector(guard), headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
    this.#clock = clock;
  }

  async post(posting: Posting, cancelled: AbortSignal): Promise<Attempt> {
    const started = performance.now();
    const timeout = new AbortController();
    const abort = (): void => timeout.abort();
    const timer = setTimeout(abort, TIMEOUT_MS);
    cancelled.addEventListener('abort', abort);
    const attempt = { responseStatus: null, responseBody: null, retryAfterMs: null };
    try {
      const answer = await this.#request(posting, timeout.signal);
      return { ...attempt, ...answer, durationMs: Math.round(performance.now() - started) };
    } catch (error) {
      const reason = reasonOf(error, timeout.signal.aborted);
      return { ...attempt, error: reason, durationMs: Math.round(performance.now() - started) };
    } finally {
      clearTimeout(timer);
      cancelled.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #request(
    { url, secret, body }: Posting,
    signal: AbortSignal,
  ): Promise<Partial<Attempt> & { error: string | null }> {
    const { origin, pathname, search } = new URL(url);
    const response = await this.#agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Lintel-Webhooks/1',
        'x-service-sig-sha256': signature(secret, body),
      },
      body,
      signal,
    });
    const responseStatus = response.statusCode;
    if (responseStatus >= 200 && responseStatus < 300) {
      await response.body.dump({ limit: MOST_READ });
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
