import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { logAuditEvent } from '../accounts/authentication-audit-log.ts';
import { deriveCsrfToken, findCsrfViolation } from '../accounts/csrf.ts';
import { sendCsrfError } from '../accounts/login-routes.ts';
import { hashPassword } from '../accounts/passwords.ts';
import { findNewPasswordProblem } from '../accounts/password-policy.ts';
import { readRequestParameters } from '../accounts/form-and-query-parameters.ts';
import type { SessionCookies } from '../accounts/session-cookies.ts';
import { parseUserAgent } from '../http/user-agent.ts';
import { renderJoinPage, renderSignInToJoinPage } from '../pages/invitation-page.ts';
import { html } from '../pages/html-template.ts';
import { renderMessagePage } from '../pages/message-page.ts';
import { renderNewPasswordPage } from '../pages/new-password-page.ts';
import { sendPage } from '../pages/send-page-and-serve-page-assets.ts';
import {
  acceptInvitation,
  findUnacceptedInvitation,
  type InvitationAcceptor,
  type UnacceptedInvitation,
} from '../resources/accept-invitation.ts';
import { BridgeCookie, LINK_COOKIE_SECONDS } from '../http/bridge-cookie.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';

const PATH = '/invitation';

/** `/invitation`: an invited person joins an organization, and chooses a password if the address has no account. */
export const serveInvitationPages = (app: FastifyInstance, services: BridgeServices, cookies: SessionCookies): void => {
  const { storage, clock } = services;
  const link = new BridgeCookie(services, 'lintel_invitation', PATH);

  const findInvitation = (request: FastifyRequest): Promise<UnacceptedInvitation | null> =>
    findUnacceptedInvitation(storage.writer, link.read(request) ?? '', clock());

  const sendInvalid = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    logAuditEvent(request, 'invitation_refused');
    link.clear(reply);
    const title = 'This invitation is not valid';
    const message =
      'The link has expired, has already been used, or was revoked. Ask the person who invited you to send a new one.';
    return sendPage(reply, renderMessagePage({ title, message, link: { href: '/login', text: 'Sign in' } }), {
      status: 404,
    });
  };

  const sendChoosePassword = (
    request: FastifyRequest,
    reply: FastifyReply,
    { organizationName, email }: UnacceptedInvitation,
    problem?: string,
  ): FastifyReply => {
    const page = renderNewPasswordPage({
      title: `Join ${organizationName}`,
      introduction: html`<p>You are invited to manage <strong>${organizationName}</strong>. Choose a password for your account.</p>`,
      action: PATH,
      csrfToken: deriveCsrfToken(cookies.getOrCreateFormSecret(request, reply)),
      email,
      button: 'Accept the invitation',
      problem,
    });
    return sendPage(reply, page, { status: problem === undefined ? 200 : 400, hasScript: true });
  };

  /** For an address that has an account: only its user can accept. */
  const sendJoin = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { organizationName: organization, email, accountId }: UnacceptedInvitation,
  ): Promise<FastifyReply> => {
    const session = await cookies.findSession(request);
    if (session !== null && session.user.id === accountId) {
      const csrfToken = deriveCsrfToken(cookies.getOrCreateFormSecret(request, reply));
      return sendPage(reply, renderJoinPage({ organization, email, csrfToken }));
    }
    const account =
      session === null
        ? null
        : { email: session.user.email, csrfToken: deriveCsrfToken(session.token), returnTo: PATH };
    return sendPage(reply, renderSignInToJoinPage({ organization, email, returnTo: PATH, account }));
  };

  const accept = async (
    request: FastifyRequest,
    reply: FastifyReply,
    invitation: UnacceptedInvitation,
    acceptor: InvitationAcceptor,
  ): Promise<FastifyReply> => {
    const client = { ip_address: request.ip, client: parseUserAgent(request.headers['user-agent']) };
    const userId = await acceptInvitation(services, invitation, link.read(request) ?? '', acceptor, client);
    // The invitation or the account has changed since the page was loaded: it shows the new state.
    if (userId === null) return reply.redirect(PATH, 303);
    if (acceptor.kind === 'password') await cookies.signIn(request, reply, userId);
    link.clear(reply);
    logAuditEvent(request, 'invitation_accepted', {
      user_id: userId,
      organization_id: invitation.organizationId,
    });
    return reply.redirect('/account', 303);
  };

  // A GET has no side effects, because mail scanners and link previews open links too.
  app.get(`${PATH}/:token`, async (request, reply) => {
    link.set(reply, (request.params as { readonly token: string }).token, LINK_COOKIE_SECONDS);
    return reply.redirect(PATH, 303);
  });

  app.get(PATH, async (request, reply) => {
    const invitation = await findInvitation(request);
    if (invitation === null) return sendInvalid(request, reply);
    if (invitation.accountId === null) return sendChoosePassword(request, reply, invitation);
    return sendJoin(request, reply, invitation);
  });

  app.post(PATH, async (request, reply) => {
    const { values } = readRequestParameters(request.body, ['new_password', 'form_token']);
    const violation = findCsrfViolation(request, services.publicUrl, cookies.formSecret(request), values['form_token']);
    if (violation !== null) return sendCsrfError(request, reply, violation);
    const invitation = await findInvitation(request);
    if (invitation === null) return sendInvalid(request, reply);
    if (invitation.accountId !== null) {
      const session = await cookies.findSession(request);
      if (session === null) return sendJoin(request, reply, invitation);
      return accept(request, reply, invitation, { kind: 'session', userId: session.user.id });
    }
    const { new_password: password = '' } = values;
    const problem = findNewPasswordProblem(password, {
      email: invitation.email,
      organizationNames: [invitation.organizationName],
    });
    if (problem !== null) return sendChoosePassword(request, reply, invitation, problem);
    const passwordHash = await hashPassword(password);
    return accept(request, reply, invitation, { kind: 'password', passwordHash });
  });
};
