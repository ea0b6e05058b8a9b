import { type TechnicianApiResult, parseTechnicianApiError } from './api-result.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface TechnicianApiRequest {
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;

const headersOf = (body: unknown, csrf: string | null): Record<string, string> => ({
  accept: 'application/json',
  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  ...(csrf === null ? {} : { 'x-csrf-token': csrf }),
});

/** Authenticates with the session cookie. `csrf` is required where the bridge serves the page. */
export const sendTechnicianRequest = async <T>(
  base: string,
  { method, path, body, timeoutMs = TIMEOUT_MS }: TechnicianApiRequest,
  csrf: string | null,
): Promise<TechnicianApiResult<T>> => {
  try {
    const response = await fetch(base + path, {
      method,
      headers: headersOf(body, csrf),
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const content: unknown = isJson && text !== '' ? JSON.parse(text) : null;
    if (response.ok && isJson) return { ok: true, value: content as T };
    return { ok: false, error: parseTechnicianApiError(response.status, content, response.headers.get('retry-after')) };
  } catch {
    return { ok: false, error: { kind: 'offline' } };
  }
};
