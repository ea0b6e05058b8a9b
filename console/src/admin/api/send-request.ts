import type { ErrorResponse } from '@lintel/wire-protocol/rest/api-error-types';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type QueryParameters = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A request that the bridge rejected, or that did not reach it. */
export class ApiRequestError extends Error {
  override readonly name = 'ApiRequestError';
  /** Null if there was no response. */
  readonly status: number | null;
  readonly type: string;
  readonly args: Readonly<Record<string, string>>;

  constructor(status: number | null, { type, message, args }: Partial<ErrorResponse>) {
    super(message ?? 'No connection');
    this.status = status;
    this.type = type ?? 'offline';
    this.args = args ?? {};
  }

  get isOffline(): boolean {
    return this.type === 'offline';
  }
}

const TIMEOUT_MS = 20_000;

let csrfToken = '';

export const setCsrfToken = (token: string): void => {
  csrfToken = token;
};

const signInAgain = (): void => {
  const { pathname, search } = window.location;
  window.location.assign(`/login?return_to=${encodeURIComponent(pathname + search)}`);
};

export const formatQuery = (query: QueryParameters): string => {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
};

export interface RequestOptions {
  readonly timeoutMs?: number;
  /** The request fails with `edit_conflict` unless the object has this tag. */
  readonly ifMatch?: string;
  /** Sent again with the same key, the request has no second effect and returns the response of the first. */
  readonly idempotencyKey?: string;
}

/** The response, and the tag of the object if it has one. */
export interface TaggedResponse<T> {
  readonly content: T;
  readonly tag: string | null;
}

const send = async (
  method: HttpMethod,
  url: string,
  body: object | undefined,
  { timeoutMs = TIMEOUT_MS, ifMatch, idempotencyKey }: RequestOptions,
): Promise<Response> => {
  const isBinary = body instanceof Blob;
  try {
    return await fetch(url, {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...(method === 'GET' ? {} : { 'x-csrf-token': csrfToken }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(body === undefined ? {} : { 'content-type': isBinary ? 'application/octet-stream' : 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isBinary ? body : JSON.stringify(body) }),
    });
  } catch {
    throw new ApiRequestError(null, {});
  }
};

const sendTaggedRequest = async <T>(
  method: HttpMethod,
  url: string,
  body?: object,
  options: RequestOptions = {},
): Promise<TaggedResponse<T>> => {
  const response = await send(method, url, body, options);
  // A response that is not JSON is not from the bridge, for example of a captive portal or a proxy.
  const content = (await response.json().catch(() => null)) as (T & Partial<ErrorResponse>) | null;
  if (content === null) throw new ApiRequestError(null, {});
  if (response.ok) return { content, tag: response.headers.get('etag') };
  throw new ApiRequestError(response.status, content);
};

/** Sends a request to the bridge. Throws an ApiRequestError. */
export const sendBridgeRequest = async <T>(method: HttpMethod, url: string, body?: object): Promise<T> =>
  (await sendTaggedRequest<T>(method, url, body)).content;

/** Asks the user for the password or a passkey. Resolves to false if the user cancels. */
type FreshLoginPrompt = () => Promise<boolean>;

let freshLoginPrompt: FreshLoginPrompt | null = null;
/** Requests that fail together share one question. */
let pendingPrompt: Promise<boolean> | null = null;

/** Returns a function that removes the prompt. */
export const setFreshLoginPrompt = (prompt: FreshLoginPrompt): (() => void) => {
  freshLoginPrompt = prompt;
  return () => {
    freshLoginPrompt = null;
  };
};

const proveAgain = async (error: ApiRequestError): Promise<boolean> => {
  if (error.args['reason'] !== 'fresh_login_required' || freshLoginPrompt === null) return false;
  pendingPrompt ??= freshLoginPrompt();
  try {
    return await pendingPrompt;
  } finally {
    pendingPrompt = null;
  }
};

/**
 * Sends a request to the administration API. An ended session leads to the login page. What needs a fresh login is repeated
 * after the user has proved it.
 */
export const sendTaggedAdminRequest = async <T>(
  method: HttpMethod,
  path: string,
  body?: object,
  options?: RequestOptions,
): Promise<TaggedResponse<T>> => {
  const request = (): Promise<TaggedResponse<T>> => sendTaggedRequest<T>(method, `/admin/v1${path}`, body, options);
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ApiRequestError)) throw error;
    if (error.status === 401) signInAgain();
    if (await proveAgain(error)) return request();
    throw error;
  }
};

export const sendAdminRequest = async <T>(
  method: HttpMethod,
  path: string,
  body?: object,
  options?: RequestOptions,
): Promise<T> => (await sendTaggedAdminRequest<T>(method, path, body, options)).content;
