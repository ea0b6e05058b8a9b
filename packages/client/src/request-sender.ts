import { toLintelApiError } from './api-error.ts';
import type { TokenSource } from './token-source.ts';

export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

export interface RequestSenderOptions {
  readonly tokens: TokenSource;
  readonly fetch: typeof fetch;
  readonly maxAttempts: number;
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly random: () => number;
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;

/** Half to one and a half times the doubling time, so that clients do not return together. */
export const computeBackoffMs = (attempt: number, random: () => number): number =>
  Math.min(FIRST_WAIT_MS * 2 ** attempt, MAX_WAIT_MS) * (0.5 + random());

/** Null unless the bridge asks to repeat the request. A door that is offline is not opened later by itself. */
const retryAfterMs = ({ status, headers }: Response): number | null => {
  const seconds = headers.get('retry-after');
  return (status === 429 || status === 503) && seconds !== null && /^\d+$/.test(seconds)
    ? Number(seconds) * 1000
    : null;
};

export const waitOrAbort = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });

/** Sends requests with a token, and repeats them after 401 with a new one, after Retry-After, and after network errors. */
export class RequestSender {
  readonly #options: RequestSenderOptions;

  constructor(options: RequestSenderOptions) {
    this.#options = options;
  }

  async send(request: ApiRequest): Promise<unknown> {
    const { tokens, maxAttempts, wait, random } = this.#options;
    let token = await tokens.accessToken();
    let hasNewToken = false;
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt + 1 >= maxAttempts;
      const response = await this.#fetch(request, token, isLast);
      if (response === null) {
        await wait(computeBackoffMs(attempt, random), request.signal);
        continue;
      }
      if (response.ok) return response.json();
      const waitMs = retryAfterMs(response);
      const error = await toLintelApiError(response);
      if (error.status === 401 && error.type === 'unauthorized' && !hasNewToken) {
        token = await tokens.refresh(token);
        hasNewToken = true;
      } else if (waitMs !== null && !isLast) {
        await wait(waitMs, request.signal);
      } else throw error;
    }
  }

  /** Null if the network failed and the request can be sent again. */
  async #fetch(
    { method, url, body, headers, signal }: ApiRequest,
    token: string,
    isLast: boolean,
  ): Promise<Response | null> {
    try {
      return await this.#options.fetch(url, {
        method,
        headers: { ...headers, authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      if (isLast || signal?.aborted === true) throw error;
      return null;
    }
  }
}
