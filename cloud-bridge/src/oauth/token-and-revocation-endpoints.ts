import { isMissing, isRepeated, mustBeOneOf } from '@lintel/access-core/problem-texts';
import { endSentence } from '@lintel/wire-protocol/rest/base-api-error';
import OAuth2Server from '@node-oauth/oauth2-server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IssuedOAuthTokens } from '../accounts/issue-oauth-tokens.ts';
import {
  consumeOAuthToken,
  findOAuthToken,
  pruneOAuthTokensAndSessions,
  revokeOAuthTokenFamily,
  revokeOAuthToken,
} from '../accounts/oauth-token-store.ts';
import type { AccessTokenAuthenticator } from '../accounts/access-token-authenticator.ts';
import { ApiError } from '../http/api-error.ts';
import { parseUserAgent } from '../http/user-agent.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { OAuthApplicationRow } from '../storage/schema.ts';
import type { Actor } from '../transactions/actor.ts';
import { logAuditEvent } from '../accounts/authentication-audit-log.ts';
import { type OAuthClientAuthenticationRequest, OAuthClientAuthenticator } from './client-authenticator.ts';
import { findOAuthApplicationByClientId } from './oauth-application-to-library-client.ts';
import { describeParameter, type OAuthErrorResponse, toOAuthErrorResponse } from './oauth-error-response.ts';
import { type RequestParameters, readRequestParameters } from '../accounts/form-and-query-parameters.ts';
import { OAuthTokenRequestModel } from './oauth-library-token-model.ts';

interface Dependencies {
  readonly services: BridgeServices;
  readonly authenticator: AccessTokenAuthenticator;
}

const fields = [
  'grant_type',
  'client_id',
  'client_secret',
  'code',
  'code_verifier',
  'redirect_uri',
  'refresh_token',
  'scope',
  'token',
  'token_type_hint',
] as const;

/** The library supports further types, and would reject them as unauthorized instead of unsupported. */
const grantTypes: ReadonlySet<string> = new Set(['authorization_code', 'refresh_token']);

/** Mistakes of the request, unlike an outage. */
const exchangeErrors: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_request']);

const FORM_CONTENT_TYPE = 'application/x-www-form-urlencoded';

const statuses: Readonly<Record<string, number>> = {
  invalid_client: 401,
  temporarily_unavailable: 429,
  server_error: 500,
};

/** RFC 6749 5.2. */
const sendError = (
  request: FastifyRequest,
  reply: FastifyReply,
  { error, description, cause, retryAfterSeconds, status = statuses[error] ?? 400 }: OAuthErrorResponse,
): object => {
  if (status === 500) request.log.error({ message: cause instanceof Error ? cause.message : typeof cause }, error);
  if (status === 401) reply.header('www-authenticate', 'Basic realm="Lintel", charset="UTF-8"');
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  reply.code(status);
  return { error, error_description: description };
};

const oauthError = (error: string, description: string): OAuthErrorResponse => ({
  error,
  description: endSentence(description),
});

const tooManyAttempts = oauthError(
  'temporarily_unavailable',
  'Too many attempts with a wrong client secret from this address. Check the secret and try again later',
);

const actorOf = (request: FastifyRequest, application: OAuthApplicationRow): Actor => ({
  oauth_application_id: application.id,
  ip_address: request.ip,
  client: parseUserAgent(request.headers['user-agent']),
});

const readForm = (request: FastifyRequest): RequestParameters | OAuthErrorResponse => {
  const form = readRequestParameters(request.body, fields);
  const [repeated] = form.repeated;
  return repeated === undefined ? form : oauthError('invalid_request', describeParameter(repeated, isRepeated));
};

const toClientRequest = (request: FastifyRequest): OAuthClientAuthenticationRequest => ({
  authorization: request.headers.authorization,
  values: readRequestParameters(request.body, fields).values,
  ip: request.ip,
});

const PRUNE_EVERY_MS = 60 * 60 * 1000;

/** `/oauth2/token` and `/oauth2/revoke`: forms as input, JSON as output, errors as in RFC 6749. */
export const serveOAuthTokenEndpoints = (app: FastifyInstance, { services, authenticator }: Dependencies): void => {
  const { storage, writer, clock, deletionClock } = services;
  const clients = new OAuthClientAuthenticator(services);
  let prunedAt = 0;

  app.addHook('onRequest', async (_, reply) => {
    reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
  });
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof ApiError && error.type === 'unsupported_media_type') {
      reply.headers(error.headers);
      return sendError(request, reply, { ...oauthError('invalid_request', error.message), status: error.status });
    }
    const { statusCode = 500 } = error as { statusCode?: number };
    const badForm = oauthError('invalid_request', `The body must have the content type ${FORM_CONTENT_TYPE}`);
    return sendError(request, reply, statusCode < 500 ? badForm : toOAuthErrorResponse(error));
  });

  const authenticateClient = async (
    request: FastifyRequest,
  ): Promise<{ form: RequestParameters; application: OAuthApplicationRow } | OAuthErrorResponse> => {
    const form = readForm(request);
    if ('error' in form) return form;
    if (request.headers.authorization !== undefined && form.values['client_secret'] !== undefined) {
      return oauthError(
        'invalid_request',
        'Send the client credentials either in the Authorization header or in the form, not in both',
      );
    }
    const result = await clients.authenticate(toClientRequest(request));
    if (result.kind === 'authenticated') return { form, application: result.application };
    logAuditEvent(request, 'client_refused');
    return result.kind === 'throttled'
      ? { ...tooManyAttempts, retryAfterSeconds: result.seconds }
      : oauthError('invalid_client', 'The client is unknown, or its secret is wrong');
  };

  const prune = async (): Promise<void> => {
    const now = clock();
    if (now - prunedAt < PRUNE_EVERY_MS) return;
    prunedAt = now;
    await pruneOAuthTokensAndSessions(storage.writer, deletionClock.now(null));
  };

  /** A code is for one exchange, successful or not. Only the client that it was issued to can use it up. */
  const burnCode = async (request: FastifyRequest, clientId: string | undefined): Promise<void> => {
    const { grant_type, code } = readRequestParameters(request.body, fields).values;
    if (grant_type !== 'authorization_code' || code === undefined || clientId === undefined) return;
    const row = await findOAuthToken(storage.reader, code);
    const application = await findOAuthApplicationByClientId(storage.reader, clientId);
    if (row?.kind !== 'code' || application === undefined || row.oauth_application_id !== application.id) return;
    await writer.write(row.organization_id, actorOf(request, application), ({ db, now }) =>
      consumeOAuthToken(db, row.hash, now),
    );
  };

  app.post('/oauth2/token', async (request, reply) => {
    const caller = await authenticateClient(request);
    if ('error' in caller) {
      if (caller.error === 'invalid_client') await burnCode(request, clients.clientIdOf(toClientRequest(request)));
      return sendError(request, reply, caller);
    }
    const { form, application } = caller;
    const grantType = form.values['grant_type'];
    if (grantType === undefined)
      return sendError(request, reply, oauthError('invalid_request', describeParameter('grant_type', isMissing)));
    if (!grantTypes.has(grantType)) {
      return sendError(
        request,
        reply,
        oauthError('unsupported_grant_type', describeParameter('grant_type', mustBeOneOf([...grantTypes]))),
      );
    }
    const model = new OAuthTokenRequestModel({
      services,
      application,
      actor: actorOf(request, application),
      redirectUri: form.values['redirect_uri'],
      scope: form.values['scope'],
      logAuditEvent: (event, details) => logAuditEvent(request, event, details),
      onRevoked: () => authenticator.clearCache(),
    });
    // The client is already authenticated, so the library gets its id without the secret.
    const { client_secret: _, ...values } = form.values;
    const libraryRequest = new OAuth2Server.Request({
      method: 'POST',
      headers: { 'content-type': request.headers['content-type'] ?? '', 'transfer-encoding': 'chunked' },
      query: {},
      body: { ...values, client_id: application.client_id },
    });
    try {
      const { issued } = await new OAuth2Server({ model }).token(libraryRequest, new OAuth2Server.Response({}), {
        requireClientAuthentication: { authorization_code: false, refresh_token: false },
      });
      await prune();
      return issued as IssuedOAuthTokens;
    } catch (thrown) {
      const errorResponse = toOAuthErrorResponse(thrown);
      logAuditEvent(request, 'token_refused', { application_id: application.id, error: errorResponse.error });
      if (exchangeErrors.has(errorResponse.error)) await burnCode(request, application.client_id);
      return sendError(request, reply, errorResponse);
    }
  });

  /** RFC 7009. Revoking a refresh token revokes its whole family, revoking an access token only that token. */
  app.post('/oauth2/revoke', async (request, reply) => {
    const caller = await authenticateClient(request);
    if ('error' in caller) return sendError(request, reply, caller);
    const { form, application } = caller;
    const { token } = form.values;
    if (token === undefined)
      return sendError(request, reply, oauthError('invalid_request', describeParameter('token', isMissing)));
    const row = await findOAuthToken(storage.reader, token);
    if (row === undefined || row.kind === 'code') return {};
    if (row.oauth_application_id !== application.id) {
      logAuditEvent(request, 'token_refused', { application_id: application.id, error: 'unauthorized_client' });
      return sendError(request, reply, oauthError('unauthorized_client', 'The token belongs to another application'));
    }
    await writer.write(row.organization_id, actorOf(request, application), ({ db }) =>
      row.kind === 'refresh' ? revokeOAuthTokenFamily(db, row.family_id) : revokeOAuthToken(db, row.hash),
    );
    authenticator.clearCache();
    logAuditEvent(request, 'token_revoked', { application_id: application.id, organization_id: row.organization_id });
    return {};
  });
};
