import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { formatConnectionError } from '@lintel/service/connections/outage-log';
import { z } from 'zod';
import { AcmeError, type AcmeProblem, toAcmeError } from './acme-error.ts';

const directorySchema = z.object({ newNonce: z.url(), newAccount: z.url(), newOrder: z.url() });
const REQUEST_TIMEOUT_MS = 30_000;
const NONCE_ATTEMPTS = 10;
const POLL_MS = 1000;
const POLL_ATTEMPTS = 90;

const encode = (value: object | ''): string =>
  Buffer.from(value === '' ? '' : JSON.stringify(value)).toString('base64url');

/** The members that RFC 7638 prescribes, in its order. */
const publicJwk = (accountKey: KeyObject) => {
  const { crv, kty, x, y } = createPublicKey(accountKey).export({ format: 'jwk' });
  return { crv, kty, x, y };
};

export const computeAcmeKeyThumbprint = (accountKey: KeyObject): string =>
  createHash('sha256')
    .update(JSON.stringify(publicJwk(accountKey)))
    .digest('base64url');

const retryAfterMs = ({ headers }: Response): number => {
  const value = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now());
};

interface AcmeRequestsOptions {
  readonly directoryUrl: string;
  /** EC key on the curve P-256. */
  readonly accountKey: KeyObject;
  readonly signal: AbortSignal;
}

/** Requests to an ACME server: signed by the account key, each with a fresh nonce (RFC 8555, section 6). */
export class AcmeClient {
  readonly #options: AcmeRequestsOptions;
  #directory: z.infer<typeof directorySchema> | undefined;
  #nonce: string | null = null;
  #accountUrl: string | null = null;

  constructor(options: AcmeRequestsOptions) {
    this.#options = options;
  }

  async directory(): Promise<z.infer<typeof directorySchema>> {
    if (this.#directory === undefined) {
      const { directoryUrl } = this.#options;
      const response = await this.#fetch(directoryUrl, {});
      const parsed = directorySchema.safeParse(await response.json().catch(() => null));
      if (!parsed.success) throw new AcmeError(`${directoryUrl} is not the directory of an ACME server`);
      this.#directory = parsed.data;
    }
    return this.#directory;
  }

  /** Creates the account, or finds the one of this key. */
  async openAccount(email: string | null): Promise<void> {
    const { newAccount } = await this.directory();
    const contact = email === null ? {} : { contact: [`mailto:${email}`] };
    const response = await this.post(newAccount, { termsOfServiceAgreed: true, ...contact }, 'Creating the account');
    this.#accountUrl = response.headers.get('location');
  }

  /** An empty payload reads the resource. Throws an AcmeError. */
  async post(url: string, payload: object | '', action: string): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.#postOnce(url, payload);
      if (response.ok) return response;
      const problem = (await response.json().catch(() => ({}))) as AcmeProblem;
      const { detail = `The server answered ${response.status}` } = problem;
      const error = toAcmeError({ ...problem, detail }, action, retryAfterMs(response));
      if (error.kind !== 'badNonce' || attempt === NONCE_ATTEMPTS) throw error;
    }
  }

  /** Reads the resource until the result is not null. */
  async poll<T>(url: string, action: string, resultOf: (body: unknown) => T | null): Promise<T> {
    for (let attempt = 1; attempt <= POLL_ATTEMPTS; attempt++) {
      const response = await this.post(url, '', action);
      const result = resultOf(await response.json());
      if (result !== null) return result;
      const pauseMs = Math.min(Math.max(retryAfterMs(response), POLL_MS), 10 * POLL_MS);
      await delay(pauseMs, undefined, { signal: this.#options.signal });
    }
    throw new AcmeError(`${action}: the server did not finish in time`);
  }

  async #postOnce(url: string, payload: object | ''): Promise<Response> {
    const { accountKey } = this.#options;
    const identity = this.#accountUrl === null ? { jwk: publicJwk(accountKey) } : { kid: this.#accountUrl };
    const header = encode({ alg: 'ES256', nonce: await this.#takeNonce(), url, ...identity });
    const body = encode(payload);
    const key = { key: accountKey, dsaEncoding: 'ieee-p1363' } as const;
    const signature = sign('sha256', Buffer.from(`${header}.${body}`), key).toString('base64url');
    return this.#fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/jose+json' },
      body: JSON.stringify({ protected: header, payload: body, signature }),
    });
  }

  async #takeNonce(): Promise<string> {
    if (this.#nonce === null) await this.#fetch((await this.directory()).newNonce, { method: 'HEAD' });
    const nonce = this.#nonce;
    this.#nonce = null;
    if (nonce === null) throw new AcmeError('The ACME server gave no nonce');
    return nonce;
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    const { signal } = this.#options;
    try {
      const response = await fetch(url, {
        ...init,
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
      });
      this.#nonce = response.headers.get('replay-nonce') ?? this.#nonce;
      return response;
    } catch (error) {
      signal.throwIfAborted();
      const { cause = error } = error as Error;
      throw new AcmeError(`${new URL(url).origin} is not reachable: ${formatConnectionError(cause)}`, '', 0, {
        cause: error,
      });
    }
  }
}
