import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { logAuditEvent } from '../accounts/authentication-audit-log.ts';
import type { SessionCookies } from '../accounts/session-cookies.ts';
import { readRequestParameters, type RequestParameters } from '../accounts/form-and-query-parameters.ts';
import { findCsrfViolation } from '../accounts/csrf.ts';
import { sendCsrfError } from '../accounts/login-routes.ts';
import { canGrantScopes } from '../accounts/can-role-grant-scopes.ts';
import type { UserSession } from '../accounts/user-sessions.ts';
import { type UserOrganization, listOrganizationsOfUser } from '../accounts/users.ts';
import { parseUserAgent } from '../http/user-agent.ts';
import { renderMessagePage } from '../pages/message-page.ts';
import { sendPage } from '../pages/send-page-and-serve-page-assets.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import {
  type OAuthAuthorizationRequest,
  oauthAuthorizationParameters,
  denyOAuthAuthorization,
  grantOAuthAuthorization,
  checkOAuthAuthorizationRequest,
  type OAuthAuthorizationResult,
} from './grant-or-deny-authorization.ts';
import { sendOAuthConsentPage } from './send-consent-page.ts';
import type { OAuthErrorResponse } from './oauth-error-response.ts';

const readRequest = (request: FastifyRequest): RequestParameters =>
  readRequestParameters(request.query, oauthAuthorizationParameters);

const logErrorResponse = (request: FastifyRequest, errorResponse: OAuthErrorResponse): void => {
  const { error, cause } = errorResponse;
  if (cause !== undefined) request.log.error({ message: cause instanceof Error ? cause.message : typeof cause }, error);
  logAuditEvent(request, 'authorization_request_refused', { error });
};

const sendErrorPage = (reply: FastifyReply, errorResponse: OAuthErrorResponse): FastifyReply =>
  sendPage(
    reply,
    renderMessagePage({
      title: 'This application cannot be connected',
      message: 'The application sent an invalid request, so you were not redirected to it. Contact its developer.',
      detail: errorResponse.description,
    }),
    { status: errorResponse.error === 'server_error' ? 500 : 400 },
  );

/** `/oauth2/auth`: a signed-in user allows or denies the access of an application to an organization. */
export const serveOAuthAuthorizationEndpoint = (
  app: FastifyInstance,
  services: BridgeServices,
  cookies: SessionCookies,
): void => {
  const organizations = (session: UserSession): Promise<UserOrganization[]> =>
    listOrganizationsOfUser(services.storage.reader, session.user.id);

  const finish = (
    request: FastifyRequest,
    reply: FastifyReply,
    result: OAuthAuthorizationResult,
    status: 302 | 303,
  ) => {
    if (result.kind === 'needs_consent') throw new Error('The request still needs consent');
    if (result.errorResponse !== null && result.errorResponse.error !== 'access_denied')
      logErrorResponse(request, result.errorResponse);
    if (result.kind === 'rejected') return sendErrorPage(reply, result.errorResponse);
    return reply.header('cache-control', 'no-store').redirect(result.location, status);
  };

  app.get('/oauth2/auth', async (request, reply) => {
    const parameters = readRequest(request);
    const result = await checkOAuthAuthorizationRequest(services, parameters);
    if (result.kind !== 'needs_consent') return finish(request, reply, result, 302);
    const session = await cookies.findSession(request);
    if (session === null) {
      const login = `/login?${new URLSearchParams({ return_to: request.url }).toString()}`;
      return reply.header('cache-control', 'no-store').redirect(login, 302);
    }
    const { values } = readRequestParameters(request.query, ['organization_id']);
    return sendOAuthConsentPage(request, reply, {
      authorizationRequest: result.authorizationRequest,
      parameters,
      session,
      organizations: await organizations(session),
      selectedId: values['organization_id'],
    });
  });

  const allow = async (
    request: FastifyRequest,
    reply: FastifyReply,
    parameters: RequestParameters,
    session: UserSession,
    authorizationRequest: OAuthAuthorizationRequest,
    organizationId: string | undefined,
  ): Promise<FastifyReply> => {
    const userId = session.user.id;
    const selected = (await organizations(session)).find(
      organization => organization.organizationId === organizationId,
    );
    if (selected === undefined || !canGrantScopes(selected.role, authorizationRequest.scopes)) {
      logAuditEvent(request, 'organization_refused', {
        user_id: userId,
        application_id: authorizationRequest.application.id,
      });
      const title = 'You cannot allow this';
      const message = 'Your role does not permit you to connect applications to this organization.';
      return sendPage(reply, renderMessagePage({ title, message }), { status: 403 });
    }
    const actor = {
      user_id: userId,
      oauth_application_id: authorizationRequest.application.id,
      ip_address: request.ip,
      client: parseUserAgent(request.headers['user-agent']),
    };
    const result = await grantOAuthAuthorization(services, parameters, {
      organizationId: selected.organizationId,
      userId,
      actor,
    });
    if (result.kind === 'redirect' && result.errorResponse === null) {
      const scope = authorizationRequest.scopes.join(' ');
      const ids = {
        user_id: userId,
        organization_id: selected.organizationId,
        application_id: authorizationRequest.application.id,
      };
      logAuditEvent(request, 'authorization_granted', { ...ids, scope });
    }
    return finish(request, reply, result, 303);
  };

  app.post('/oauth2/auth', async (request, reply) => {
    const parameters = readRequest(request);
    const { values } = readRequestParameters(request.body, ['decision', 'organization_id', 'form_token']);
    const session = await cookies.findSession(request);
    const problem = findCsrfViolation(request, services.publicUrl, session?.token ?? null, values['form_token']);
    if (session === null || problem !== null) return sendCsrfError(request, reply, problem ?? 'no_session');
    const result = await checkOAuthAuthorizationRequest(services, parameters);
    if (result.kind !== 'needs_consent') return finish(request, reply, result, 303);
    const { authorizationRequest } = result;
    if (values['decision'] !== 'allow') {
      logAuditEvent(request, 'authorization_denied', {
        user_id: session.user.id,
        application_id: authorizationRequest.application.id,
      });
      return finish(request, reply, await denyOAuthAuthorization(services, parameters), 303);
    }
    return allow(request, reply, parameters, session, authorizationRequest, values['organization_id']);
  });
};
