import { getErrorCode } from '@lintel/service/error-code';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BusContext, OpenedBus } from '../definition/context.ts';
import { ConfirmedRelays, type RelayLink } from '../relay-boards/confirmed-relays.ts';

const OTHERS = 0o077;
const MOST_PASSWORD_BYTES = 512;

/** The password of a relay, in a file of the data folder that only the owner can read. Throws if it is missing. */
export const readRelayPassword = (dataDir: string, bus: string): string => {
  const path = join(dataDir, `relay-${bus}.password`);
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) throw new Error(`${path} is missing: write the password of the relay into it`);
  if ((status.mode & OTHERS) !== 0) throw new Error(`${path} is readable by others: chmod 600 ${path}`);
  if (!status.isFile() || status.size > MOST_PASSWORD_BYTES) throw new Error(`${path} is not a file with a password`);
  const password = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  if (password === '' || /[\r\n]/.test(password)) throw new Error(`${path} must contain one line with the password`);
  return password;
};

/** What a server demands before it answers (RFC 7616). */
interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | null;
}

/** Only SHA-256 and `qop=auth`. MD5 is refused, because the password could be computed from recorded requests. */
export const parseDigestChallenge = (header: string | null): DigestChallenge | null => {
  const [, list] = /\bDigest\s+(.*)$/i.exec(header ?? '') ?? [];
  if (list === undefined) return null;
  const fields = new Map<string, string>();
  for (const [, name, quoted, plain] of list.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|([^\s,]+))/g))
    fields.set(name!.toLowerCase(), quoted ?? plain ?? '');
  const [realm, nonce] = [fields.get('realm'), fields.get('nonce')];
  const supportsAuth = (fields.get('qop') ?? '').split(',').some(qop => qop.trim() === 'auth');
  if (realm === undefined || nonce === undefined || !supportsAuth) return null;
  if (fields.get('algorithm')?.toUpperCase() !== 'SHA-256') return null;
  return { realm, nonce, opaque: fields.get('opaque') ?? null };
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface DigestRequest {
  readonly user: string;
  readonly password: string;
  readonly method: string;
  /** Path and query as in the request line. */
  readonly uri: string;
  /** How often the nonce was used, this request included. */
  readonly count: number;
  readonly clientNonce?: string;
}

/** The value of the header `Authorization`. */
export const createDigestAuthorization = (
  { realm, nonce, opaque }: DigestChallenge,
  { user, password, method, uri, count, clientNonce = randomBytes(16).toString('hex') }: DigestRequest,
): string => {
  const nc = count.toString(16).padStart(8, '0');
  const secret = sha256(`${user}:${realm}:${password}`);
  const response = sha256(`${secret}:${nonce}:${nc}:${clientNonce}:auth:${sha256(`${method}:${uri}`)}`);
  const quoted = { username: user, realm, nonce, uri, response, cnonce: clientNonce };
  const fields = Object.entries(quoted).map(([name, value]) => `${name}="${value}"`);
  return `Digest ${[...fields, 'algorithm=SHA-256', 'qop=auth', `nc=${nc}`, ...(opaque === null ? [] : [`opaque="${opaque}"`])].join(', ')}`;
};

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

/** The password is read for each request, so that a change needs no restart. */
export const relayAuthentication = (
  { authentication, user }: { readonly authentication: RelayHttpAuthentication['kind']; readonly user: string },
  { dataDir, name }: BusContext,
): RelayHttpAuthentication =>
  authentication === 'none'
    ? { kind: 'none' }
    : { kind: authentication, user, password: () => readRelayPassword(dataDir, name) };

/** The time between two questions for the state. Each one is a request to a small device. */
const LOOK_MS = 2_000;

export const openHttpRelays = <Board>(
  link: RelayLink<Board>,
  outputs: readonly string[],
  { clock }: BusContext,
): OpenedBus => {
  const relays = new ConfirmedRelays({ clock, outputs, link, look_ms: LOOK_MS });
  return { outputs: relays, close: () => relays.close() };
};
