import OAuth2Server from '@node-oauth/oauth2-server';
import type { Services } from '../services.ts';
import type { OAuthApplicationRow } from '../storage/schema.ts';
import { AuthorizationModel, type Consent } from './authorization-model.ts';
import { type OAuthFailure, oauthFailure } from './oauth-failure.ts';
import type { Parameters } from '../accounts/form-fields.ts';
import { withParameters } from './with-parameters.ts';

export const authorizationParameters = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;

/** What an application asks for, once its request has been found good. */
export interface AuthorizationRequest {
  readonly application: OAuthApplicationRow;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
}

export type AuthorizationResult =
  | { readonly kind: 'asks'; readonly asked: AuthorizationRequest }
  /** The application is told, at an address of its own. */
  | { readonly kind: 'told'; readonly location: string; readonly failure: OAuthFailure | null }
  /** Who asks, or where to answer, is in doubt: only the person in front of the page is told, nobody is sent anywhere. */
  | { readonly kind: 'refused'; readonly failure: OAuthFailure };

type Answer = 'rehearse' | 'deny' | Consent;

/** The library wants some user; which person it is has been settled before it is asked. */
const someone = { handle: (): object => ({}) };

const answer = async (services: Services, parameters: Parameters, given: Answer): Promise<AuthorizationResult> => {
  const model = new AuthorizationModel(services, parameters, typeof given === 'string' ? null : given);
  const body = given === 'deny' ? { allowed: 'false' } : {};
  const request = new OAuth2Server.Request({ method: 'GET', headers: {}, query: { ...parameters.values }, body });
  const response = new OAuth2Server.Response({});
  const { state, redirect_uri } = parameters.values;
  const redirectUri = (): string => redirect_uri ?? model.client?.redirectUris[0] ?? '';
  try {
    const code = await new OAuth2Server({ model }).authorize(request, response, {
      authenticateHandler: someone,
      allowEmptyState: true,
      authorizationCodeLifetime: 60,
    });
    if (given === 'rehearse') {
      const { application } = model.client!;
      return { kind: 'asks', asked: { application, redirectUri: redirectUri(), scopes: model.scopes } };
    }
    const scope = model.scopes.join(' ');
    const location = withParameters(redirectUri(), { code: code.authorizationCode, scope, state });
    return { kind: 'told', location, failure: null };
  } catch (thrown) {
    const failure = oauthFailure(thrown);
    // The library sets an address once client and redirect_uri have been found good, and not before.
    if (response.get('location') === undefined) return { kind: 'refused', failure };
    const { error, description } = failure;
    const location = withParameters(redirectUri(), { error, error_description: description, state });
    return { kind: 'told', location, failure };
  }
};

/** Judges a request without granting anything: who asks, for what, and where the answer would go. */
export const judge = (services: Services, parameters: Parameters): Promise<AuthorizationResult> =>
  answer(services, parameters, 'rehearse');

export const grant = (services: Services, parameters: Parameters, consent: Consent): Promise<AuthorizationResult> =>
  answer(services, parameters, consent);

export const deny = (services: Services, parameters: Parameters): Promise<AuthorizationResult> =>
  answer(services, parameters, 'deny');
