import OAuth2Server from '@node-oauth/oauth2-server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IssuedTokens } from '../accounts/tokens.ts';
import { findToken, pruneTokens, revokeFamily, revokeOne } from '../accounts/token-families.ts';
import type { Authenticator } from '../http/authenticate.ts';
import { clientInfo } from '../http/client-info.ts';
import type { Services } from '../services.ts';
import type { OAuthApplicationRow } from '../storage/schema.ts';
import type { Actor } from '../transactions/actor.ts';
import { audit } from '../accounts/audit.ts';
import { ClientAuthentication } from './client-authentication.ts';
import { type OAuthFailure, oauthFailure } from './oauth-failure.ts';
import { type Parameters, readParameters } from '../accounts/form-fields.ts';
import { TokenModel } from './token-model.ts';

interface Dependencies {
  readonly services: Services;
  readonly authenticator: Authenticator;
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

/** The library knows more than these, and would call them unauthorized instead of unknown. */
const grantTypes: ReadonlySet<string> = new Set(['authorization_code', 'refresh_token']);

const FORM = 'application/x-www-form-urlencoded';

const statuses: Readonly<Record<string, number>> = { invalid_client: 401, server_error: 500 };

/** RFC 6749 5.2. */
const fail = (request: FastifyRequest, reply: FastifyReply, { error, description, cause }: OAuthFailure): object => {
  const status = statuses[error] ?? 400;
  if (status === 500) request.log.error({ message: cause instanceof Error ? cause.message : typeof cause }, error);
  if (status === 401) reply.header('www-authenticate', 'Basic realm="Lintel", charset="UTF-8"');
  reply.code(status);
  return { error, error_description: description };
};

const failed = (error: string, description: string): OAuthFailure => ({ error, description });

const actorOf = (request: FastifyRequest, application: OAuthApplicationRow): Actor => ({
  oauth_application_id: application.id,
  ip_address: request.ip,
  client: clientInfo(request.headers['user-agent']),
});

const readForm = (request: FastifyRequest): Parameters | OAuthFailure => {
  const form = readParameters(request.body, fields);
  const [repeated] = form.repeated;
  return repeated === undefined ? form : failed('invalid_request', `${repeated} is repeated`);
};

const PRUNE_EVERY_MS = 60 * 60 * 1000;

/** `/oauth2/token` and `/oauth2/revoke`: forms in, JSON out, errors as RFC 6749 has them. */
export const serveTokens = (app: FastifyInstance, { services, authenticator }: Dependencies): void => {
  const { storage, writer, clock } = services;
  const clients = new ClientAuthentication(storage);
  let prunedAt = 0;

  app.addHook('onRequest', async (_, reply) => {
    reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
  });
  app.setErrorHandler((error, request, reply) => {
    const { statusCode = 500 } = error as { statusCode?: number };
    const ours = failed('invalid_request', `The body must be a form: ${FORM}`);
    return fail(request, reply, statusCode < 500 ? ours : oauthFailure(error));
  });

  const identified = async (
    request: FastifyRequest,
  ): Promise<{ form: Parameters; application: OAuthApplicationRow } | OAuthFailure> => {
    const form = readForm(request);
    if ('error' in form) return form;
    if (request.headers.authorization !== undefined && form.values['client_secret'] !== undefined) {
      return failed('invalid_request', 'The application proves itself in two ways; RFC 6749 allows one');
    }
    const application = await clients.identify(request.headers.authorization, form.values);
    if (application !== null) return { form, application };
    audit(request, 'client_refused');
    return failed('invalid_client', 'The application is unknown or did not prove who it is');
  };

  const prune = async (): Promise<void> => {
    const now = clock();
    if (now - prunedAt < PRUNE_EVERY_MS) return;
    prunedAt = now;
    await pruneTokens(storage.writer, now);
  };

  app.post('/oauth2/token', async (request, reply) => {
    const caller = await identified(request);
    if ('error' in caller) return fail(request, reply, caller);
    const { form, application } = caller;
    const grantType = form.values['grant_type'];
    if (grantType === undefined) return fail(request, reply, failed('invalid_request', 'grant_type is missing'));
    if (!grantTypes.has(grantType)) {
      return fail(
        request,
        reply,
        failed('unsupported_grant_type', `grant_type is one of ${[...grantTypes].join(', ')}`),
      );
    }
    const model = new TokenModel({
      services,
      application,
      actor: actorOf(request, application),
      redirectUri: form.values['redirect_uri'],
      scope: form.values['scope'],
      audit: (event, details) => audit(request, event, details),
      revoked: () => authenticator.forget(),
    });
    // The client has been proven above: the library is handed what it needs to find it again, and no secret.
    const { client_secret: _, ...values } = form.values;
    const asked = new OAuth2Server.Request({
      method: 'POST',
      headers: { 'content-type': request.headers['content-type'] ?? '', 'transfer-encoding': 'chunked' },
      query: {},
      body: { ...values, client_id: application.client_id },
    });
    try {
      const { issued } = await new OAuth2Server({ model }).token(asked, new OAuth2Server.Response({}), {
        requireClientAuthentication: { authorization_code: false, refresh_token: false },
      });
      await prune();
      return issued as IssuedTokens;
    } catch (thrown) {
      const failure = oauthFailure(thrown);
      audit(request, 'token_refused', { application_id: application.id, error: failure.error });
      return fail(request, reply, failure);
    }
  });

  /** RFC 7009. A refresh token takes its whole family along, an access token goes alone. */
  app.post('/oauth2/revoke', async (request, reply) => {
    const caller = await identified(request);
    if ('error' in caller) return fail(request, reply, caller);
    const { form, application } = caller;
    const { token } = form.values;
    if (token === undefined) return fail(request, reply, failed('invalid_request', 'token is required'));
    const row = await findToken(storage.reader, token);
    if (row === undefined || row.kind === 'code') return {};
    if (row.oauth_application_id !== application.id) {
      audit(request, 'token_refused', { application_id: application.id, error: 'unauthorized_client' });
      return fail(request, reply, failed('unauthorized_client', 'The token belongs to another application'));
    }
    await writer.write(row.organization_id, actorOf(request, application), ({ db }) =>
      row.kind === 'refresh' ? revokeFamily(db, row.family_id) : revokeOne(db, row.hash),
    );
    authenticator.forget();
    audit(request, 'token_revoked', { application_id: application.id, organization_id: row.organization_id });
    return {};
  });
};
