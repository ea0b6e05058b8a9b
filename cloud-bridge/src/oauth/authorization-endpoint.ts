import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { audit } from '../accounts/audit.ts';
import type { Browser } from '../accounts/browser.ts';
import { readParameters, type Parameters } from '../accounts/form-fields.ts';
import { formProblem } from '../accounts/form-token.ts';
import { refuseForm } from '../accounts/login-routes.ts';
import { mayAuthorize } from '../accounts/roles.ts';
import type { Session } from '../accounts/sessions.ts';
import { type Membership, organizationsOf } from '../accounts/users.ts';
import { clientInfo } from '../http/client-info.ts';
import { messagePage } from '../pages/message-page.ts';
import { sendPage } from '../pages/send-page.ts';
import type { Services } from '../services.ts';
import {
  type AuthorizationRequest,
  authorizationParameters,
  deny,
  grant,
  judge,
  type AuthorizationResult,
} from './authorization.ts';
import { showConsent } from './consent.ts';
import type { OAuthFailure } from './oauth-failure.ts';

const readRequest = (request: FastifyRequest): Parameters => readParameters(request.query, authorizationParameters);

const logFailure = (request: FastifyRequest, failure: OAuthFailure): void => {
  const { error, cause } = failure;
  if (cause !== undefined) request.log.error({ message: cause instanceof Error ? cause.message : typeof cause }, error);
  audit(request, 'authorization_request_refused', { error });
};

const refuse = (reply: FastifyReply, failure: OAuthFailure): FastifyReply =>
  sendPage(
    reply,
    messagePage({
      title: 'This application cannot be connected',
      message: 'The application that sent you here made a mistake in its request. You were not sent back to it.',
      detail: failure.description,
    }),
    { status: failure.error === 'server_error' ? 500 : 400 },
  );

/** `/oauth2/auth`: who asks, who decides, for which organization, yes or no. */
export const serveAuthorization = (app: FastifyInstance, services: Services, browser: Browser): void => {
  const organizations = (session: Session): Promise<Membership[]> =>
    organizationsOf(services.storage.reader, session.user.id);

  const close = (request: FastifyRequest, reply: FastifyReply, judgement: AuthorizationResult, status: 302 | 303) => {
    if (judgement.kind === 'asks') throw new Error('an open request has no end yet');
    if (judgement.failure !== null && judgement.failure.error !== 'access_denied')
      logFailure(request, judgement.failure);
    if (judgement.kind === 'refused') return refuse(reply, judgement.failure);
    return reply.header('cache-control', 'no-store').redirect(judgement.location, status);
  };

  app.get('/oauth2/auth', async (request, reply) => {
    const parameters = readRequest(request);
    const judgement = await judge(services, parameters);
    if (judgement.kind !== 'asks') return close(request, reply, judgement, 302);
    const session = await browser.session(request);
    if (session === null) {
      const login = `/login?${new URLSearchParams({ return_to: request.url }).toString()}`;
      return reply.header('cache-control', 'no-store').redirect(login, 302);
    }
    const { values } = readParameters(request.query, ['organization_id']);
    return showConsent(request, reply, {
      asked: judgement.asked,
      parameters,
      session,
      memberships: await organizations(session),
      chosenId: values['organization_id'],
    });
  });

  const allow = async (
    request: FastifyRequest,
    reply: FastifyReply,
    parameters: Parameters,
    session: Session,
    asked: AuthorizationRequest,
    organizationId: string | undefined,
  ): Promise<FastifyReply> => {
    const userId = session.user.id;
    const chosen = (await organizations(session)).find(one => one.organizationId === organizationId);
    if (chosen === undefined || !mayAuthorize(chosen.role, asked.scopes)) {
      audit(request, 'organization_refused', { user_id: userId, application_id: asked.application.id });
      const title = 'You cannot allow this';
      const message = 'You are not somebody who may connect applications to this organization.';
      return sendPage(reply, messagePage({ title, message }), { status: 403 });
    }
    const actor = {
      user_id: userId,
      oauth_application_id: asked.application.id,
      ip_address: request.ip,
      client: clientInfo(request.headers['user-agent']),
    };
    const judgement = await grant(services, parameters, { organizationId: chosen.organizationId, userId, actor });
    if (judgement.kind === 'told' && judgement.failure === null) {
      const scope = asked.scopes.join(' ');
      const ids = { user_id: userId, organization_id: chosen.organizationId, application_id: asked.application.id };
      audit(request, 'authorization_granted', { ...ids, scope });
    }
    return close(request, reply, judgement, 303);
  };

  app.post('/oauth2/auth', async (request, reply) => {
    const parameters = readRequest(request);
    const { values } = readParameters(request.body, ['decision', 'organization_id', 'form_token']);
    const session = await browser.session(request);
    const problem = formProblem(request, services.publicUrl, session?.token ?? null, values['form_token']);
    if (session === null || problem !== null) return refuseForm(request, reply, problem ?? 'no_session');
    const judgement = await judge(services, parameters);
    if (judgement.kind !== 'asks') return close(request, reply, judgement, 303);
    const { asked } = judgement;
    if (values['decision'] !== 'allow') {
      audit(request, 'authorization_denied', { user_id: session.user.id, application_id: asked.application.id });
      return close(request, reply, await deny(services, parameters), 303);
    }
    return allow(request, reply, parameters, session, asked, values['organization_id']);
  });
};
