import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

const TIMEOUT_MS = 15_000;
const RETRY_MS = 100;
/** Longer than any fault: then the bridge does not come back. */
const LIMIT_MS = 900_000;

export interface ResponseObject extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly created_at?: string;
  readonly recorded_at?: string;
}

interface Page {
  readonly data: readonly ResponseObject[];
  readonly has_next: boolean;
  readonly cursor_next: string;
}

/** A client of the API that repeats each request until it is answered, as an integration has to. */
export class ApiClient {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Null: not found, which is success for a repeated DELETE. */
  async call(method: string, path: string, body?: object): Promise<ResponseObject | null> {
    const key = randomUUID();
    const end = performance.now() + LIMIT_MS;
    let last = 'no response';
    for (let attempt = 0; ; attempt++) {
      const response = await this.#send(method, path, key, body).catch((error: unknown) => {
        last = String(error);
        return null;
      });
      if (response?.status === 200) return response.body;
      if (response?.status === 404 && (method === 'GET' || attempt > 0)) return null;
      if (response !== null && response.status < 500 && response.status !== 429)
        throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`);
      if (response !== null) last = `${response.status} ${JSON.stringify(response.body)}`;
      if (performance.now() > end) throw new Error(`${method} ${path} failed for ${LIMIT_MS} ms: ${last}`);
      await delay(RETRY_MS);
    }
  }

  async #send(method: string, path: string, key: string, body?: object) {
    const headers = { authorization: `Bearer ${this.#token}`, 'idempotency-key': key };
    const response = await fetch(`${this.#url}/v2${path}`, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, body: (await response.json()) as ResponseObject };
  }

  async list(path: string): Promise<readonly ResponseObject[]> {
    const all: ResponseObject[] = [];
    for (let cursor = ''; ; ) {
      const page = (await this.call('GET', `${path}&limit=100${cursor}`)) as unknown as Page;
      all.push(...page.data);
      if (!page.has_next) return all;
      cursor = `&cursor=${encodeURIComponent(page.cursor_next)}`;
    }
  }
}
