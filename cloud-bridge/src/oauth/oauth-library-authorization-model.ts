import { isMissing, isRepeated, mustBe } from '@lintel/access-core/problem-texts';
import { randomUUID } from 'node:crypto';
import { BASE64URL_32_BYTES } from '@lintel/wire-protocol/encoding/base64url';
import OAuth2Server from '@node-oauth/oauth2-server';
import { isRegisteredRedirectUri } from '../accounts/redirect-uris.ts';
import { issueOAuthAuthorizationCode } from '../accounts/oauth-token-store.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { Actor } from '../transactions/actor.ts';
import {
  toOAuthClient,
  findOAuthApplicationByClientId,
  type OAuthClient,
} from './oauth-application-to-library-client.ts';
import type { RequestParameters } from '../accounts/form-and-query-parameters.ts';
import { describeParameter } from './oauth-error-response.ts';
import { parseOAuthScopes } from './scopes.ts';

const { InvalidClientError, InvalidRequestError, InvalidScopeError } = OAuth2Server;

/** The consent of a user, for one organization. */
export interface OAuthUserConsent {
  readonly organizationId: string;
  readonly userId: string;
  readonly actor: Actor;
}

type UnsavedCode = Pick<OAuth2Server.AuthorizationCode, 'authorizationCode' | 'expiresAt' | 'redirectUri' | 'scope'>;

/**
 * The model that the OAuth library uses for one authorization request. Without a consent, everything is validated and
 * nothing is stored.
 */
export class OAuthAuthorizationRequestModel {
  readonly #services: BridgeServices;
  readonly #parameters: RequestParameters;
  readonly #consent: OAuthUserConsent | null;
  /** Set after the client and its redirect_uri are found. */
  client: OAuthClient | null = null;
  scopes: readonly string[] = [];

  constructor(services: BridgeServices, parameters: RequestParameters, consent: OAuthUserConsent | null) {
    this.#services = services;
    this.#parameters = parameters;
    this.#consent = consent;
  }

  async getClient(clientId: string): Promise<OAuthClient | null> {
    const application = await findOAuthApplicationByClientId(this.#services.storage.reader, clientId);
    if (application === undefined) return null;
    const client = toOAuthClient(application);
    const { values, repeated } = this.#parameters;
    if (repeated.includes('redirect_uri')) throw new InvalidRequestError(describeParameter('redirect_uri', isRepeated));
    if (values['redirect_uri'] === undefined && client.redirectUris.length !== 1) {
      throw new InvalidRequestError(describeParameter('redirect_uri', isMissing));
    }
    this.client = client;
    return client;
  }

  async validateRedirectUri(uri: string, client: OAuth2Server.Client): Promise<boolean> {
    if (isRegisteredRedirectUri((client as OAuthClient).redirectUris, uri)) return true;
    throw new InvalidClientError(
      describeParameter('redirect_uri', 'must be a redirect URI that is registered for this application'),
    );
  }

  async validateScope(
    _user: OAuth2Server.User,
    _client: OAuth2Server.Client,
    requested: readonly string[] | undefined,
  ): Promise<string[]> {
    const [repeated] = this.#parameters.repeated;
    if (repeated !== undefined) throw new InvalidRequestError(describeParameter(repeated, isRepeated));
    const checked = parseOAuthScopes(requested ?? []);
    if ('problem' in checked) throw new InvalidScopeError(describeParameter('scope', checked.problem));
    this.scopes = checked.scopes;
    return checked.scopes;
  }

  async saveAuthorizationCode(
    code: UnsavedCode,
    client: OAuth2Server.Client,
    user: OAuth2Server.User,
  ): Promise<OAuth2Server.AuthorizationCode> {
    const codeChallenge = this.#requireValidChallenge(client as OAuthClient);
    const saved = { ...code, client, user };
    if (this.#consent === null) return saved;
    const { organizationId, userId, actor } = this.#consent;
    const grant = {
      organizationId,
      applicationId: client.id,
      userId,
      scope: this.scopes.join(' '),
      familyId: randomUUID(),
    };
    const authorizationCode = await this.#services.writer.write(organizationId, actor, async context => {
      const { numInsertedOrUpdatedRows } = await context.db
        .insertInto('oauth_grants')
        .values({
          organization_id: organizationId,
          oauth_application_id: client.id,
          user_id: userId,
          created_at: context.now,
        })
        .onConflict(conflict => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows === 1n) {
        context.log({ verb: 'edit', object: { type: 'organization', organization_id: organizationId } });
      }
      const details = { redirect_uri: code.redirectUri, code_challenge: codeChallenge };
      return issueOAuthAuthorizationCode(context.db, grant, details, context.now);
    });
    return { ...saved, authorizationCode };
  }

  /** Required by the library's model type, but not called for an authorization request. */
  async getAccessToken(): Promise<null> {
    return null;
  }

  async saveToken(): Promise<null> {
    return null;
  }

  #requireValidChallenge({ application }: OAuthClient): string | null {
    const { code_challenge, code_challenge_method } = this.#parameters.values;
    if (code_challenge === undefined) {
      if (application.is_public === 0 && code_challenge_method === undefined) return null;
      throw new InvalidRequestError(describeParameter('code_challenge', isMissing));
    }
    // RFC 7636 4.3: the default method would be `plain`.
    if (code_challenge_method !== 'S256') {
      throw new InvalidRequestError(describeParameter('code_challenge_method', mustBe('S256')));
    }
    if (!BASE64URL_32_BYTES.test(code_challenge)) {
      throw new InvalidRequestError(describeParameter('code_challenge', mustBe('a SHA-256 in base64url')));
    }
    return code_challenge;
  }
}
