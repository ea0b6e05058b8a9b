import OAuth2Server from '@node-oauth/oauth2-server';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { OAuthApplicationRow } from '../storage/schema.ts';
import { OAuthAuthorizationRequestModel, type OAuthUserConsent } from './oauth-library-authorization-model.ts';
import { type OAuthErrorResponse, toOAuthErrorResponse } from './oauth-error-response.ts';
import type { RequestParameters } from '../accounts/form-and-query-parameters.ts';

/** Appends to the URI without parsing it, since that could normalize it. */
const appendQueryParameters = (uri: string, parameters: Readonly<Record<string, string | undefined>>): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  const separator = uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?';
  return `${uri}${separator}${query.toString()}`;
};

export const oauthAuthorizationParameters = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;

/** A valid authorization request of an application. */
export interface OAuthAuthorizationRequest {
  readonly application: OAuthApplicationRow;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
}

export type OAuthAuthorizationResult =
  | { readonly kind: 'needs_consent'; readonly authorizationRequest: OAuthAuthorizationRequest }
  /** The browser is redirected to the application, with a code or an error. */
  | { readonly kind: 'redirect'; readonly location: string; readonly errorResponse: OAuthErrorResponse | null }
  /** The client or the redirect URI is invalid: the error is shown to the user, without a redirect (RFC 6749 4.1.2.1). */
  | { readonly kind: 'rejected'; readonly errorResponse: OAuthErrorResponse };

/** `check` validates the request before the user has decided. */
type UserDecision = 'check' | 'deny' | OAuthUserConsent;

/** The library requires a user; the signed-in user is known before the library is called. */
const placeholderUser = { handle: (): object => ({}) };

const authorize = async (
  services: BridgeServices,
  parameters: RequestParameters,
  decision: UserDecision,
): Promise<OAuthAuthorizationResult> => {
  const model = new OAuthAuthorizationRequestModel(
    services,
    parameters,
    typeof decision === 'string' ? null : decision,
  );
  const body = decision === 'deny' ? { allowed: 'false' } : {};
  const request = new OAuth2Server.Request({ method: 'GET', headers: {}, query: { ...parameters.values }, body });
  const response = new OAuth2Server.Response({});
  const { state, redirect_uri } = parameters.values;
  const redirectUri = (): string => redirect_uri ?? model.client?.redirectUris[0] ?? '';
  try {
    const code = await new OAuth2Server({ model }).authorize(request, response, {
      authenticateHandler: placeholderUser,
      allowEmptyState: true,
      authorizationCodeLifetime: 60,
    });
    if (decision === 'check') {
      const { application } = model.client!;
      return {
        kind: 'needs_consent',
        authorizationRequest: { application, redirectUri: redirectUri(), scopes: model.scopes },
      };
    }
    const scope = model.scopes.join(' ');
    const location = appendQueryParameters(redirectUri(), { code: code.authorizationCode, scope, state });
    return { kind: 'redirect', location, errorResponse: null };
  } catch (thrown) {
    const errorResponse = toOAuthErrorResponse(thrown);
    // The library sets a location only after it has validated the client and the redirect_uri.
    if (response.get('location') === undefined) return { kind: 'rejected', errorResponse };
    const { error, description } = errorResponse;
    const location = appendQueryParameters(redirectUri(), { error, error_description: description, state });
    return { kind: 'redirect', location, errorResponse };
  }
};

/** Validates a request without storing anything. */
export const checkOAuthAuthorizationRequest = (
  services: BridgeServices,
  parameters: RequestParameters,
): Promise<OAuthAuthorizationResult> => authorize(services, parameters, 'check');

export const grantOAuthAuthorization = (
  services: BridgeServices,
  parameters: RequestParameters,
  consent: OAuthUserConsent,
): Promise<OAuthAuthorizationResult> => authorize(services, parameters, consent);

export const denyOAuthAuthorization = (
  services: BridgeServices,
  parameters: RequestParameters,
): Promise<OAuthAuthorizationResult> => authorize(services, parameters, 'deny');
