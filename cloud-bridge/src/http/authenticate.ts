import type { Instant } from '@lintel/access-core/instant';
import { hashToken } from '../secrets/token-hash.ts';
import type { Storage } from '../storage/open-storage.ts';
import { ApiError } from './api-error.ts';
import type { TokenIdentity } from './caller.ts';

const challenge = { 'www-authenticate': 'Bearer' };

const unauthorized = (message: string): ApiError => new ApiError('unauthorized', message, {}, challenge);

const LEGACY_KEY = /^key_/;
const USUAL = /^Bearer (?!key_)[^ ]+$/;

/** RFC 6750: the scheme is compared without regard to case. */
const bearerToken = (header: string | undefined): string => {
  if (header !== undefined && USUAL.test(header)) return header.slice('Bearer '.length);
  if (header === undefined) throw unauthorized('An access token is needed: Authorization: Bearer <ACCESS_TOKEN>');
  const [scheme = '', token = '', ...rest] = header.trim().split(/ +/);
  if (LEGACY_KEY.test(token) || LEGACY_KEY.test(scheme)) {
    const message = 'API keys are no longer accepted: connect an application with OAuth 2.0';
    throw new ApiError('legacy_api_key_disabled', message, {}, challenge);
  }
  if (scheme.toLowerCase() !== 'bearer' || token === '' || rest.length > 0) {
    throw unauthorized('The Authorization header is not of the form: Bearer <ACCESS_TOKEN>');
  }
  return token;
};

interface Known {
  readonly identity: TokenIdentity;
  readonly expiresAt: number;
  readonly readAt: number;
}

/** How long another bridge's revocation may go unnoticed here; this bridge's own is noticed at once. */
const REMEMBERED_MS = 1000;
const MOST_REMEMBERED = 10_000;

export class Authenticator {
  readonly #storage: Storage;
  readonly #clock: () => Instant;
  readonly #known = new Map<string, Known>();

  constructor(storage: Storage, clock: () => Instant) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** After a revocation, a de-authorization or the like. */
  forget(): void {
    this.#known.clear();
  }

  async identify(header: string | undefined): Promise<TokenIdentity> {
    const token = bearerToken(header);
    const hash = hashToken(token);
    const now = this.#clock();
    let known = this.#known.get(hash);
    if (known === undefined || now - known.readAt > REMEMBERED_MS || now < known.readAt) {
      known = await this.#read(hash, now);
    }
    if (known === undefined || known.expiresAt <= now) {
      this.#known.delete(hash);
      throw unauthorized('The access token is not valid: it is unknown, expired or revoked');
    }
    return known.identity;
  }

  async #read(hash: string, now: Instant): Promise<Known | undefined> {
    const row = await this.#storage.reader
      .selectFrom('oauth_tokens')
      .select(['organization_id', 'oauth_application_id', 'user_id', 'scope', 'expires_at'])
      .where('hash', '=', hash)
      .where('kind', '=', 'access')
      .executeTakeFirst();
    if (row === undefined) return undefined;
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    const identity: TokenIdentity = {
      organizationId: row.organization_id,
      applicationId: row.oauth_application_id,
      userId: row.user_id,
      scopes: new Set(row.scope.split(' ')),
    };
    const known = { identity, expiresAt: row.expires_at ?? 0, readAt: now };
    this.#known.set(hash, known);
    return known;
  }
}
