import OAuth2Server from '@node-oauth/oauth2-server';
import { type IssuedOAuthTokens, issueOAuthTokens, type OAuthTokenGrant } from '../accounts/issue-oauth-tokens.ts';
import {
  consumeOAuthToken,
  type OAuthAuthorizationCodeDetails,
  findSuccessorOAuthTokens,
  findOAuthToken,
  toOAuthTokenGrant,
  isOAuthTokenRevoked,
  isDuplicateOAuthRedemption,
  revokeOAuthTokenFamily,
  storeSuccessorOAuthTokensForRetry,
} from '../accounts/oauth-token-store.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { OAuthApplicationRow, OAuthTokenRow } from '../storage/schema.ts';
import type { Actor } from '../transactions/actor.ts';
import type { AuditDetails, AuditEventName } from '../accounts/authentication-audit-log.ts';
import { toOAuthClient, type OAuthClient } from './oauth-application-to-library-client.ts';
import { describeParameter } from './oauth-error-response.ts';
import { parseOAuthScopes } from './scopes.ts';

const { InvalidGrantError, InvalidScopeError } = OAuth2Server;

export interface OAuthTokenRequestContext {
  readonly services: BridgeServices;
  /** Already authenticated. */
  readonly application: OAuthApplicationRow;
  readonly actor: Actor;
  readonly redirectUri: string | undefined;
  readonly scope: string | undefined;
  readonly logAuditEvent: (event: AuditEventName, details: AuditDetails) => void;
  /** Called after a token family was revoked. */
  readonly onRevoked: () => void;
}

/** The user, for the library: the grant of the code or refresh token, and the hash of that token. */
interface ConsumedToken extends OAuth2Server.User {
  readonly grant: OAuthTokenGrant;
  readonly hash: string;
}

type Saved = OAuth2Server.Token & { readonly issued: IssuedOAuthTokens };

/** The library checks expiry with the system clock; this model has already checked it with the clock of the bridge. */
const notExpired = (): Date => new Date(Date.now() + 60_000);

/** The model that the OAuth library uses for one request to the token endpoint. */
export class OAuthTokenRequestModel {
  readonly #request: OAuthTokenRequestContext;
  readonly #client: OAuthClient;
  /** The new tokens of a refresh. */
  #successor: IssuedOAuthTokens | null = null;

  constructor(request: OAuthTokenRequestContext) {
    this.#request = request;
    this.#client = toOAuthClient(request.application);
  }

  async getClient(): Promise<OAuthClient> {
    return this.#client;
  }

  /** Required by the library's model type, but not called by the token endpoint. */
  async getAccessToken(): Promise<null> {
    return null;
  }

  async getAuthorizationCode(authorizationCode: string): Promise<OAuth2Server.AuthorizationCode | null> {
    const row = await this.#find(authorizationCode, 'code');
    if (row === null) return null;
    // A used code passes, so that its replay is detected when it is consumed.
    if (row.used_at === null && (row.expires_at ?? 0) <= this.#request.services.clock()) return null;
    const { code_challenge } = JSON.parse(row.details ?? '{}') as OAuthAuthorizationCodeDetails;
    return {
      authorizationCode,
      expiresAt: notExpired(),
      // The library would require a redirect_uri here; `revokeAuthorizationCode` compares it if it is sent.
      redirectUri: '',
      scope: row.scope.split(' '),
      client: this.#ownerOf(row),
      user: { grant: toOAuthTokenGrant(row), hash: row.hash } satisfies ConsumedToken,
      ...(code_challenge === null ? {} : { codeChallenge: code_challenge, codeChallengeMethod: 'S256' }),
      details: row.details,
    };
  }

  /** Returns true for one of several concurrent exchanges of a code. A later exchange is a replay and revokes its tokens. */
  async revokeAuthorizationCode(code: OAuth2Server.AuthorizationCode): Promise<boolean> {
    const { redirect_uri } = JSON.parse(code['details'] as string) as OAuthAuthorizationCodeDetails;
    if (!(await this.#consumeCode(code.user as ConsumedToken))) return false;
    const sent = this.#request.redirectUri;
    if (sent !== undefined && sent !== redirect_uri) {
      throw new InvalidGrantError(describeParameter('redirect_uri', 'must be that of the authorization request'));
    }
    return true;
  }

  async getRefreshToken(refreshToken: string): Promise<OAuth2Server.RefreshToken | null> {
    const row = await this.#find(refreshToken, 'refresh');
    // A used one passes, so that its reuse is detected when it is consumed.
    const isEnded = (row?.expires_at ?? 0) <= this.#request.services.clock();
    if (row === null || (row.used_at === null && isEnded)) return null;
    this.#requestedScope(row.scope.split(' '));
    return {
      refreshToken,
      scope: row.scope.split(' '),
      client: this.#ownerOf(row),
      user: { grant: toOAuthTokenGrant(row), hash: row.hash } satisfies ConsumedToken,
    };
  }

  /**
   * Consumes the refresh token and issues its successor in one transaction. The same token, sent again within a minute,
   * gets the same successor; later it is a reuse and revokes the family.
   */
  async revokeToken(token: OAuth2Server.RefreshToken): Promise<boolean> {
    const { grant, hash } = token.user as ConsumedToken;
    const { services, actor } = this.#request;
    this.#successor = await services.writer.write(grant.organizationId, actor, async context => {
      const { db, now } = context;
      if (!(await consumeOAuthToken(db, hash, now))) {
        const successor = await findSuccessorOAuthTokens(context, hash);
        if (successor === null) await revokeOAuthTokenFamily(db, grant.familyId);
        return successor;
      }
      const successor = await issueOAuthTokens(db, grant, now, this.#requestedScope(grant.scope.split(' ')).join(' '));
      await storeSuccessorOAuthTokensForRetry(context, hash, successor);
      return successor;
    });
    if (this.#successor === null) this.#reportReplay(grant, 'refresh_token_reused');
    return this.#successor !== null;
  }

  async saveToken(token: OAuth2Server.Token, _: OAuth2Server.Client, user: OAuth2Server.User): Promise<Saved> {
    const { grant, hash } = user as ConsumedToken;
    const { services, actor } = this.#request;
    const issued =
      this.#successor ??
      (await services.writer.write(grant.organizationId, actor, async ({ db, now }) => {
        const origin = await db
          .selectFrom('oauth_tokens')
          .select('expires_at')
          .where('hash', '=', hash)
          .executeTakeFirst();
        const tokens = await issueOAuthTokens(db, grant, now, token.scope?.join(' '));
        // The code was replayed after it was consumed, so the new tokens are revoked too.
        if (origin === undefined || isOAuthTokenRevoked(origin)) await revokeOAuthTokenFamily(db, grant.familyId);
        return tokens;
      }));
    return { ...token, accessToken: issued.access_token, client: this.#client, user, issued };
  }

  async #find(token: string, kind: OAuthTokenRow['kind']): Promise<OAuthTokenRow | null> {
    const row = await findOAuthToken(this.#request.services.storage.reader, token);
    return row?.kind === kind ? row : null;
  }

  /** The library compares only the ids. */
  #ownerOf(row: OAuthTokenRow): OAuthClient {
    return { ...this.#client, id: row.oauth_application_id };
  }

  /** Checked before the token is consumed, so that an invalid `scope` does not invalidate the grant. */
  #requestedScope(granted: readonly string[]): readonly string[] {
    const { scope } = this.#request;
    if (scope === undefined) return granted;
    const checked = parseOAuthScopes(scope.trim().split(/\s+/));
    if ('problem' in checked) throw new InvalidScopeError(describeParameter('scope', checked.problem));
    if (!checked.scopes.every(name => granted.includes(name))) {
      throw new InvalidScopeError(describeParameter('scope', 'must not have more scopes than the refresh token'));
    }
    return checked.scopes;
  }

  async #consumeCode({ grant, hash }: ConsumedToken): Promise<boolean> {
    const { services, actor } = this.#request;
    const isConsumed = await services.writer.write(grant.organizationId, actor, async ({ db, now }) => {
      if (await consumeOAuthToken(db, hash, now)) return true;
      if (!(await isDuplicateOAuthRedemption(db, hash, now))) await revokeOAuthTokenFamily(db, grant.familyId);
      return false;
    });
    if (!isConsumed) this.#reportReplay(grant, 'code_replayed');
    return isConsumed;
  }

  #reportReplay(
    { organizationId, applicationId }: OAuthTokenGrant,
    event: 'code_replayed' | 'refresh_token_reused',
  ): void {
    const { logAuditEvent, onRevoked } = this.#request;
    onRevoked();
    logAuditEvent(event, { organization_id: organizationId, application_id: applicationId });
  }
}
