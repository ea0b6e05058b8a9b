import type { Instant } from '@lintel/access-core/instant';
import { limitScopesToRole } from './can-role-grant-scopes.ts';
import { cliClientId } from './insert-oauth-application.ts';
import { isRole } from './role-permissions.ts';
import { hashToken } from '../secrets/create-and-hash-token.ts';
import type { Storage } from '../storage/open-storage.ts';
import { ApiError } from '../http/api-error.ts';
import type { AccessTokenIdentity } from '../http/authenticated-caller.ts';

const challenge = { 'www-authenticate': 'Bearer' };
/** RFC 6750, section 3: for a request with a token, and only for such a request, the challenge names the error. */
const invalidTokenChallenge = { 'www-authenticate': 'Bearer error="invalid_token"' };

const unauthorized = (message: string, headers: Readonly<Record<string, string>>): ApiError =>
  new ApiError('unauthorized', message, {}, headers);

const LEGACY_KEY = /^key_/;
const WELL_FORMED = /^Bearer (?!key_)[^ ]+$/;

/** The token of an Authorization header, also as the key of its rate limit. RFC 6750: the scheme is case-insensitive. */
export const parseBearerToken = (header: string | undefined): string => {
  if (header !== undefined && WELL_FORMED.test(header)) return header.slice('Bearer '.length);
  if (header === undefined)
    throw unauthorized('An access token is required. Send the header Authorization: Bearer <ACCESS_TOKEN>', challenge);
  const [scheme = '', token = '', ...rest] = header.trim().split(/ +/);
  if (LEGACY_KEY.test(token) || LEGACY_KEY.test(scheme)) {
    const message = 'API keys are no longer supported. Connect an application with OAuth 2.0';
    throw new ApiError('legacy_api_key_disabled', message, {}, invalidTokenChallenge);
  }
  const isBearer = scheme.toLowerCase() === 'bearer';
  if (!isBearer || token === '' || rest.length > 0) {
    const message = 'The Authorization header must have the form: Bearer <ACCESS_TOKEN>';
    throw unauthorized(message, isBearer ? invalidTokenChallenge : challenge);
  }
  return token;
};

interface CachedToken {
  readonly identity: AccessTokenIdentity;
  readonly expiresAt: number;
  readonly readAt: number;
}

/** Delay until a revocation by another bridge takes effect here; revocations by this bridge take effect at once. */
const CACHE_MS = 1000;
const MAX_CACHED = 10_000;

interface ScriptTokenWithCreator {
  readonly scope: string;
  /** Of the creator in the organization; null if the creator no longer belongs to it. */
  readonly role: string | null;
  readonly living_user_id: string | null;
}

/** A script token never permits more than its creator may do now. Null: the creator has no access anymore. */
const scopesOfScriptToken = ({ scope, role, living_user_id }: ScriptTokenWithCreator): readonly string[] | null =>
  role === null || living_user_id === null || !isRole(role) ? null : limitScopesToRole(role, scope.split(' '));

export class AccessTokenAuthenticator {
  readonly #storage: Storage;
  readonly #clock: () => Instant;
  readonly #cache = new Map<string, CachedToken>();
  /** Tokens that were read before the last `clearCache` are not cached: they may be revoked by now. */
  #clearCount = 0;

  constructor(storage: Storage, clock: () => Instant) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** Call after tokens are revoked or roles change, so that this takes effect at once. */
  clearCache(): void {
    this.#clearCount++;
    this.#cache.clear();
  }

  async identify(header: string | undefined): Promise<AccessTokenIdentity> {
    const token = parseBearerToken(header);
    const hash = hashToken(token);
    const now = this.#clock();
    let cached = this.#cache.get(hash);
    if (cached === undefined || now - cached.readAt > CACHE_MS || now < cached.readAt) {
      cached = await this.#read(hash, now);
    }
    if (cached === undefined || cached.expiresAt <= now) {
      this.#cache.delete(hash);
      throw unauthorized('The access token is unknown, expired or revoked', invalidTokenChallenge);
    }
    return cached.identity;
  }

  async #read(hash: string, now: Instant): Promise<CachedToken | undefined> {
    const clearCount = this.#clearCount;
    const row = await this.#storage.reader
      .selectFrom('oauth_tokens')
      .leftJoin('oauth_applications', 'oauth_applications.id', 'oauth_tokens.oauth_application_id')
      .leftJoin('organization_users', join =>
        join
          .onRef('organization_users.organization_id', '=', 'oauth_tokens.organization_id')
          .onRef('organization_users.user_id', '=', 'oauth_tokens.user_id'),
      )
      .leftJoin('users', join =>
        join.onRef('users.id', '=', 'organization_users.user_id').on('users.is_deleted', '=', 0),
      )
      .select(['oauth_tokens.organization_id', 'oauth_application_id', 'oauth_tokens.user_id'])
      .select(['scope', 'expires_at', 'client_id', 'organization_users.role', 'users.id as living_user_id'])
      .where('hash', '=', hash)
      .where('kind', '=', 'access')
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const isApplication = row.client_id !== cliClientId(row.organization_id);
    const scopes = isApplication || row.user_id === null ? row.scope.split(' ') : scopesOfScriptToken(row);
    if (scopes === null) return undefined;
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
    const identity: AccessTokenIdentity = {
      organizationId: row.organization_id,
      applicationId: row.oauth_application_id,
      userId: row.user_id,
      scopes: new Set(scopes),
      isApplication,
    };
    const cached = { identity, expiresAt: row.expires_at ?? 0, readAt: now };
    if (clearCount === this.#clearCount) this.#cache.set(hash, cached);
    return cached;
  }
}
