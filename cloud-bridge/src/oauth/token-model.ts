import OAuth2Server from '@node-oauth/oauth2-server';
import { type IssuedTokens, issueTokens, type TokenGrant } from '../accounts/tokens.ts';
import {
  claim,
  type CodeDetails,
  findToken,
  grantOf,
  isRevoked,
  isTwin,
  revokeFamily,
} from '../accounts/token-families.ts';
import type { Services } from '../services.ts';
import type { OAuthApplicationRow, OAuthTokenRow } from '../storage/schema.ts';
import type { Actor } from '../transactions/actor.ts';
import type { AuditDetails, AuditEvent } from '../accounts/audit.ts';
import { clientOf, type OAuthClient } from './client.ts';
import { checkScopes } from './scopes.ts';

const { InvalidGrantError, InvalidScopeError } = OAuth2Server;

export interface TokenRequest {
  readonly services: Services;
  /** Proven already. */
  readonly application: OAuthApplicationRow;
  readonly actor: Actor;
  readonly redirectUri: string | undefined;
  readonly scope: string | undefined;
  readonly audit: (event: AuditEvent, details: AuditDetails) => void;
  /** Told when a family of tokens has just ended. */
  readonly revoked: () => void;
}

/** What the library calls the user: the grant that the new tokens come from, and the row it was found in. */
interface Origin extends OAuth2Server.User {
  readonly grant: TokenGrant;
  readonly hash: string;
}

type Saved = OAuth2Server.Token & { readonly issued: IssuedTokens };

/** The library judges expiry by the machine's clock; what reaches it has been judged by the bridge's clock before. */
const notExpired = (): Date => new Date(Date.now() + 60_000);

/** Where the library keeps codes and tokens, for one request to the token endpoint. */
export class TokenModel {
  readonly #request: TokenRequest;
  readonly #client: OAuthClient;

  constructor(request: TokenRequest) {
    this.#request = request;
    this.#client = clientOf(request.application);
  }

  async getClient(): Promise<OAuthClient> {
    return this.#client;
  }

  /** The token endpoint never asks. */
  async getAccessToken(): Promise<null> {
    return null;
  }

  async getAuthorizationCode(authorizationCode: string): Promise<OAuth2Server.AuthorizationCode | null> {
    const row = await this.#find(authorizationCode, 'code');
    if (row === null) return null;
    // A used code goes on, so that its replay is noticed where it is claimed.
    if (row.used_at === null && (row.expires_at ?? 0) <= this.#request.services.clock()) return null;
    const { code_challenge } = JSON.parse(row.details ?? '{}') as CodeDetails;
    return {
      authorizationCode,
      expiresAt: notExpired(),
      // The library would demand a redirect_uri at the exchange; ours is compared when it is sent, in `revokeAuthorizationCode`.
      redirectUri: '',
      scope: row.scope.split(' '),
      client: this.#ownerOf(row),
      user: { grant: grantOf(row), hash: row.hash } satisfies Origin,
      ...(code_challenge === null ? {} : { codeChallenge: code_challenge, codeChallengeMethod: 'S256' }),
      details: row.details,
    };
  }

  /** Of many exchanges of one code at the same time, one gets `true`; a later one is a replay and ends its tokens. */
  async revokeAuthorizationCode(code: OAuth2Server.AuthorizationCode): Promise<boolean> {
    const { redirect_uri } = JSON.parse(code['details'] as string) as CodeDetails;
    if (!(await this.#claim(code.user as Origin, 'code_replayed'))) return false;
    const sent = this.#request.redirectUri;
    if (sent !== undefined && sent !== redirect_uri) {
      throw new InvalidGrantError('Invalid grant: redirect_uri is not the one of the authorization request');
    }
    return true;
  }

  async getRefreshToken(refreshToken: string): Promise<OAuth2Server.RefreshToken | null> {
    const row = await this.#find(refreshToken, 'refresh');
    if (row === null || (row.used_at === null && isRevoked(row))) return null;
    this.#checkNarrowing(row.scope.split(' '));
    return {
      refreshToken,
      scope: row.scope.split(' '),
      client: this.#ownerOf(row),
      user: { grant: grantOf(row), hash: row.hash } satisfies Origin,
    };
  }

  async revokeToken(token: OAuth2Server.RefreshToken): Promise<boolean> {
    return this.#claim(token.user as Origin, 'refresh_token_reused');
  }

  async saveToken(token: OAuth2Server.Token, _: OAuth2Server.Client, user: OAuth2Server.User): Promise<Saved> {
    const { grant, hash } = user as Origin;
    const { services, actor } = this.#request;
    const issued = await services.writer.write(grant.organizationId, actor, async ({ db, now }) => {
      const origin = await db
        .selectFrom('oauth_tokens')
        .select('expires_at')
        .where('hash', '=', hash)
        .executeTakeFirst();
      const tokens = await issueTokens(db, grant, now, token.scope?.join(' '));
      // Somebody replayed the code or the refresh token between the claim and now: what descends from it ends with it.
      if (origin === undefined || isRevoked(origin)) await revokeFamily(db, grant.familyId);
      return tokens;
    });
    return { ...token, accessToken: issued.access_token, client: this.#client, user, issued };
  }

  async #find(token: string, kind: OAuthTokenRow['kind']): Promise<OAuthTokenRow | null> {
    const row = await findToken(this.#request.services.storage.reader, token);
    return row?.kind === kind ? row : null;
  }

  /** The library compares ids only. */
  #ownerOf(row: OAuthTokenRow): OAuthClient {
    return { ...this.#client, id: row.oauth_application_id };
  }

  /** Before the token is claimed: a mistake in `scope` must not cost the client its grant. */
  #checkNarrowing(granted: readonly string[]): void {
    const { scope } = this.#request;
    if (scope === undefined) return;
    const checked = checkScopes(scope.trim().split(/\s+/));
    if ('problem' in checked) throw new InvalidScopeError(`Invalid scope: ${checked.problem}`);
    if (!checked.scopes.every(one => granted.includes(one))) {
      throw new InvalidScopeError('Invalid scope: a refresh cannot add scopes');
    }
  }

  async #claim({ grant, hash }: Origin, otherwise: 'code_replayed' | 'refresh_token_reused'): Promise<boolean> {
    const { services, actor, audit, revoked } = this.#request;
    const claimed = await services.writer.write(grant.organizationId, actor, async ({ db, now }) => {
      if (await claim(db, hash, now)) return true;
      if (!(await isTwin(db, hash, now))) await revokeFamily(db, grant.familyId);
      return false;
    });
    if (!claimed) {
      revoked();
      audit(otherwise, { organization_id: grant.organizationId, application_id: grant.applicationId });
    }
    return claimed;
  }
}
