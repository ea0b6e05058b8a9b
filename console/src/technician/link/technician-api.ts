import { type Answer, refusalOf } from './answer.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Request {
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
  /** Longer than usual where somebody has to find a card first. */
  readonly patience_ms?: number;
}

const PATIENCE_MS = 15_000;

const headersOf = (body: unknown, csrf: string | null): Record<string, string> => ({
  accept: 'application/json',
  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  ...(csrf === null ? {} : { 'x-csrf-token': csrf }),
});

/** The cookie says who asks; `csrf` goes with it where the bridge serves the page. */
export const askController = async <T>(
  base: string,
  { method, path, body, patience_ms = PATIENCE_MS }: Request,
  csrf: string | null,
): Promise<Answer<T>> => {
  try {
    const response = await fetch(base + path, {
      method,
      headers: headersOf(body, csrf),
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.timeout(patience_ms),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const content: unknown = isJson && text !== '' ? JSON.parse(text) : null;
    if (response.ok && isJson) return { ok: true, value: content as T };
    return { ok: false, failure: refusalOf(response.status, content, response.headers.get('retry-after')) };
  } catch {
    return { ok: false, failure: { kind: 'offline' } };
  }
};
