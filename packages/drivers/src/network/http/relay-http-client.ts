import { getErrorCode } from '@lintel/service/error-code';
import { createDigestAuthorization, type DigestChallenge, parseDigestChallenge } from './digest-authorization.ts';

/** How a relay in the network checks who switches it. */
export type RelayHttpAuthentication =
  | { readonly kind: 'none' }
  | { readonly kind: 'basic' | 'digest'; readonly user: string; readonly password: () => string }
  | { readonly kind: 'bearer'; readonly password: () => string };

export interface RelayHttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path and query. */
  readonly path: string;
  readonly body?: { readonly text: string; readonly type: string } | undefined;
}

const TIMEOUT_MS = 2_000;
const MOST_BYTES = 64 * 1024;

/** The device responded, but not with success. */
export class RelayHttpStatusError extends Error {
  override readonly name = 'RelayHttpStatusError';
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections',
  ENOTFOUND: 'is unknown: check the name, or use the address',
  EHOSTUNREACH: 'cannot be reached: check network and power',
  ENETUNREACH: 'cannot be reached: check network and power',
};

const describeFailure = (error: unknown): string => {
  if (error instanceof Error && error.name === 'TimeoutError') return 'does not respond';
  const cause = error instanceof Error ? error.cause : undefined;
  return REASONS[getErrorCode(cause)] ?? 'does not respond';
};

const readLimited = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new RelayHttpStatusError('sends too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** Requests to one device. Errors never contain the password. */
export class RelayHttpClient {
  readonly #base: URL;
  readonly #authentication: RelayHttpAuthentication;
  #challenge: DigestChallenge | null = null;
  #count = 0;

  constructor(base: string, authentication: RelayHttpAuthentication) {
    this.#base = new URL(base);
    this.#authentication = authentication;
  }

  /** The text of a successful response. Rejects with RelayHttpStatusError if the device refuses. */
  async send(request: RelayHttpRequest): Promise<string> {
    const response = await this.#authorized(request);
    if (!response.ok) {
      await response.body?.cancel();
      const reason =
        response.status === 401 || response.status === 403
          ? 'refuses the password'
          : `responds with ${response.status}`;
      throw new RelayHttpStatusError(this.#describe(reason));
    }
    try {
      return await readLimited(response);
    } catch (error) {
      if (error instanceof RelayHttpStatusError) throw new RelayHttpStatusError(this.#describe(error.message));
      throw new Error(this.#describe(describeFailure(error)), { cause: error });
    }
  }

  /** A challenge is used again until the device demands another one. */
  async #authorized(request: RelayHttpRequest): Promise<Response> {
    const first = await this.#fetch(request);
    if (first.status !== 401 || this.#authentication.kind !== 'digest') return first;
    const challenge = parseDigestChallenge(first.headers.get('www-authenticate'));
    await first.body?.cancel();
    if (challenge === null)
      throw new RelayHttpStatusError(this.#describe('does not offer digest authentication with SHA-256'));
    this.#challenge = challenge;
    this.#count = 0;
    return this.#fetch(request);
  }

  async #fetch(request: RelayHttpRequest): Promise<Response> {
    const { method, path, body } = request;
    const authorization = this.#authorizationFor(request);
    const headers = {
      ...(body === undefined ? {} : { 'content-type': body.type }),
      ...(authorization === null ? {} : { authorization }),
    };
    try {
      return await fetch(new URL(path, this.#base), {
        method,
        headers,
        ...(body === undefined ? {} : { body: body.text }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      throw new Error(this.#describe(describeFailure(error)), { cause: error });
    }
  }

  #authorizationFor({ method, path }: RelayHttpRequest): string | null {
    const authentication = this.#authentication;
    switch (authentication.kind) {
      case 'none':
        return null;
      case 'bearer':
        return `Bearer ${authentication.password()}`;
      case 'basic':
        return `Basic ${Buffer.from(`${authentication.user}:${authentication.password()}`).toString('base64')}`;
      case 'digest': {
        if (this.#challenge === null) return null;
        const { user, password } = authentication;
        const count = ++this.#count;
        return createDigestAuthorization(this.#challenge, { user, password: password(), method, uri: path, count });
      }
    }
  }

  #describe(problem: string): string {
    return `${this.#base.host} ${problem}`;
  }
}
