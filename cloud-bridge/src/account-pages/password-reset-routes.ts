import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { computeClientNetwork } from '@lintel/service/connections/client-network';
import { logAuditEvent } from '../accounts/authentication-audit-log.ts';
import { deriveCsrfToken, findCsrfViolation } from '../accounts/csrf.ts';
import { sendCsrfError } from '../accounts/login-routes.ts';
import {
  createPasswordReset,
  findUserByPasswordResetToken,
  buildPasswordResetUrl,
  redeemPasswordReset,
} from '../accounts/password-resets.ts';
import { hashPassword } from '../accounts/passwords.ts';
import { findNewPasswordProblem } from '../accounts/password-policy.ts';
import { readRequestParameters } from '../accounts/form-and-query-parameters.ts';
import type { SessionCookies } from '../accounts/session-cookies.ts';
import { createSharedAttemptThrottle, createSharedNetworkThrottle } from '../accounts/shared-attempt-throttle.ts';
import { findUserByEmail, listOrganizationsOfUser, normalizeEmail } from '../accounts/users.ts';
import {
  renderForgotPasswordPage,
  renderPasswordResetByOperatorPage,
  renderPasswordResetRequestedPage,
} from '../pages/forgot-password-page.ts';
import { html } from '../pages/html-template.ts';
import { renderMessagePage } from '../pages/message-page.ts';
import { renderNewPasswordPage } from '../pages/new-password-page.ts';
import { sendPage } from '../pages/send-page-and-serve-page-assets.ts';
import { BridgeCookie, LINK_COOKIE_SECONDS } from '../http/bridge-cookie.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { createScriptTokenEnder, END_TOKENS, listScriptTokenNames } from './end-script-tokens.ts';

const PATH = '/reset-password';

const FREE_REQUESTS_PER_ADDRESS_AND_NETWORK = 3;
const FREE_REQUESTS_PER_NETWORK = 20;
/** Strangers can use it up. Then no further mail is sent for up to 15 minutes, and the links in earlier mails stay valid. */
const FREE_REQUESTS_PER_ADDRESS = 20;

/** `/forgot-password` sends a link by email, `/reset-password` redeems it. */
export const servePasswordResetRoutes = (
  app: FastifyInstance,
  services: BridgeServices,
  cookies: SessionCookies,
  onTokensRevoked: () => void,
): void => {
  const { storage, clock, accountMailer, mailBudget } = services;
  const endScriptTokens = createScriptTokenEnder(services, onTokensRevoked);
  const link = new BridgeCookie(services, 'lintel_reset', PATH);
  const pairs = createSharedAttemptThrottle(storage, 'reset/pair', FREE_REQUESTS_PER_ADDRESS_AND_NETWORK);
  const networks = createSharedNetworkThrottle(storage, 'reset/network', FREE_REQUESTS_PER_NETWORK);
  const addresses = createSharedAttemptThrottle(storage, 'reset/address', FREE_REQUESTS_PER_ADDRESS);

  const newFormToken = (request: FastifyRequest, reply: FastifyReply): string =>
    deriveCsrfToken(cookies.getOrCreateFormSecret(request, reply));

  const violationOf = (request: FastifyRequest, formToken: string | undefined): string | null =>
    findCsrfViolation(request, services.publicUrl, cookies.formSecret(request), formToken);

  app.get('/forgot-password', async (request, reply) => {
    if (!accountMailer.isEnabled) return sendPage(reply, renderPasswordResetByOperatorPage());
    return sendPage(reply, renderForgotPasswordPage({ csrfToken: newFormToken(request, reply) }));
  });

  app.post('/forgot-password', async (request, reply) => {
    const { values } = readRequestParameters(request.body, ['email', 'form_token']);
    const violation = violationOf(request, values['form_token']);
    if (violation !== null) return sendCsrfError(request, reply, violation);
    if (!accountMailer.isEnabled) return sendPage(reply, renderPasswordResetByOperatorPage());
    const now = clock();
    const email = normalizeEmail(values['email'] ?? '');
    const waitMs =
      (await networks.registerAttempt(request.ip, now)) ||
      (await pairs.registerAttempt(`${computeClientNetwork(request.ip)} ${email}`, now));
    if (waitMs > 0) {
      logAuditEvent(request, 'password_reset_throttled');
      reply.header('retry-after', String(Math.ceil(waitMs / 1000)));
      const problem = 'Too many requests. Wait a few minutes and check your email.';
      return sendPage(reply, renderForgotPasswordPage({ csrfToken: newFormToken(request, reply), problem }), {
        status: 429,
      });
    }
    if ((await addresses.registerAttempt(email, now)) > 0) {
      logAuditEvent(request, 'password_reset_throttled');
      return sendPage(reply, renderPasswordResetRequestedPage());
    }
    const user = await findUserByEmail(storage.writer, email);
    const { token } = await createPasswordReset(storage.writer, user?.id ?? null, now);
    logAuditEvent(request, 'password_reset_requested', { user_id: user?.id ?? null });
    // The page is the same, so that it does not reveal which addresses have an account.
    if (user !== undefined && !(await mailBudget.takeForAccount())) logAuditEvent(request, 'password_reset_throttled');
    else if (user !== undefined) {
      accountMailer.sendPasswordReset({
        to: user.email,
        url: buildPasswordResetUrl(services.publicUrl, token),
        userId: user.id,
      });
    }
    return sendPage(reply, renderPasswordResetRequestedPage());
  });

  const sendInvalid = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    logAuditEvent(request, 'password_reset_refused');
    link.clear(reply);
    const title = 'This link is not valid';
    const message = 'The link has expired or has already been used. Request a new one.';
    const next = { href: '/forgot-password', text: 'Request a new link' };
    return sendPage(reply, renderMessagePage({ title, message, link: next }), { status: 404 });
  };

  const sendForm = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { id, email }: { readonly id: string; readonly email: string },
    problem?: string,
  ): Promise<FastifyReply> => {
    const page = renderNewPasswordPage({
      title: 'Choose a new password',
      introduction: html`<p>All sessions of this account end, and its passkeys are removed.</p>`,
      action: PATH,
      csrfToken: newFormToken(request, reply),
      email,
      button: 'Save and sign in',
      scriptTokens: await listScriptTokenNames(services, id),
      problem,
    });
    return sendPage(reply, page, { status: problem === undefined ? 200 : 400, hasScript: true });
  };

  // A GET has no side effects, because mail scanners and link previews open links too.
  app.get(`${PATH}/:token`, async (request, reply) => {
    link.set(reply, (request.params as { readonly token: string }).token, LINK_COOKIE_SECONDS);
    return reply.redirect(PATH, 303);
  });

  app.get(PATH, async (request, reply) => {
    const user = await findUserByPasswordResetToken(storage.writer, link.read(request) ?? '', clock());
    return user === null ? sendInvalid(request, reply) : sendForm(request, reply, user);
  });

  app.post(PATH, async (request, reply) => {
    const { values } = readRequestParameters(request.body, ['new_password', END_TOKENS, 'form_token']);
    const violation = violationOf(request, values['form_token']);
    if (violation !== null) return sendCsrfError(request, reply, violation);
    const token = link.read(request) ?? '';
    const user = await findUserByPasswordResetToken(storage.writer, token, clock());
    if (user === null) return sendInvalid(request, reply);
    const { new_password: password = '' } = values;
    const problem = findNewPasswordProblem(password, {
      email: user.email,
      organizationNames: (await listOrganizationsOfUser(storage.writer, user.id)).map(({ name }) => name),
    });
    if (problem !== null) return sendForm(request, reply, user, problem);
    const userId = await redeemPasswordReset(storage.writer, token, await hashPassword(password), clock());
    if (userId === null) return sendInvalid(request, reply);
    if (values[END_TOKENS] === 'yes') await endScriptTokens(request, userId);
    await cookies.signIn(request, reply, userId);
    link.clear(reply);
    logAuditEvent(request, 'password_changed', { user_id: userId });
    return reply.redirect('/account', 303);
  });
};
