import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { renderLoginPage, type LoginPageProps, renderSignedInPage } from '../pages/login-page.ts';
import { renderMessagePage } from '../pages/message-page.ts';
import { sendPage } from '../pages/send-page-and-serve-page-assets.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { logAuditEvent } from './authentication-audit-log.ts';
import type { SessionCookies } from './session-cookies.ts';
import { readRequestParameters } from './form-and-query-parameters.ts';
import { findCsrfViolation, deriveCsrfToken } from './csrf.ts';
import { toSameOriginPath } from './same-origin-path.ts';
import { authenticateWithPasskey, createPasskeyLoginOptions, supportsPasskeys } from './passkeys.ts';
import { LOGIN_LINK_PATH, LoginLinks } from './login-links.ts';
import { PasswordAuthenticator } from './password-authenticator.ts';
import { normalizeEmail } from './users.ts';

const SIGNED_IN_PATH = '/';
const SIGNED_OUT_PATH = '/login';

const wrongPasswordText = 'Wrong email or password.';
const usedLinkText = 'The link from the email has already been used.';
const unknownPasskeyText = 'This passkey is not known here. Sign in with your password.';

const waitText = (seconds: number): string =>
  seconds < 90
    ? `Too many attempts. Try again in ${seconds} seconds.`
    : `Too many attempts. Try again in ${Math.ceil(seconds / 60)} minutes.`;

/** The same with and without an account. */
const lockedText = (seconds: number, { hasMail, hasPasskeys }: { hasMail: boolean; hasPasskeys: boolean }): string =>
  [
    'There were too many attempts to sign in to this account.',
    hasMail
      ? 'If it exists, its user has received an email with a link: open it in this browser to sign in now.'
      : `Try again in ${Math.ceil(seconds / 60)} minutes, in a browser that you have used before, or ask the operator for a link.`,
    ...(hasPasskeys ? ['You can also sign in with a passkey.'] : []),
  ].join(' ');

/** The local path to return to; null and an audit entry for any other address. */
const returnPath = (request: FastifyRequest, returnAddress: string | undefined): string | null => {
  if (returnAddress === undefined) return null;
  const path = toSameOriginPath(returnAddress);
  if (path === null) logAuditEvent(request, 'return_address_refused');
  return path;
};

/** Answers a form without a valid CSRF token. */
export const sendCsrfError = (request: FastifyRequest, reply: FastifyReply, problem: string): FastifyReply => {
  logAuditEvent(request, 'form_refused', { problem });
  const title = 'This form has expired';
  const message = 'The form is too old or was not sent from this site. Go back, reload the page and try again.';
  return sendPage(reply, renderMessagePage({ title, message }), { status: 403 });
};

/** `/login` and `/logout`. */
export const serveLoginRoutes = (app: FastifyInstance, services: BridgeServices, cookies: SessionCookies): void => {
  const authenticator = new PasswordAuthenticator(services.storage);
  const links = new LoginLinks(services);

  const sendLoginPage = async (
    request: FastifyRequest,
    reply: FastifyReply,
    page: Pick<LoginPageProps, 'returnTo' | 'email' | 'problem'>,
    status = 200,
  ): Promise<FastifyReply> => {
    const secret = cookies.getOrCreateFormSecret(request, reply);
    const hasPasskeys = supportsPasskeys(services.publicUrl);
    const passkeyOptions = hasPasskeys ? await createPasskeyLoginOptions(services, secret) : null;
    return sendPage(reply, renderLoginPage({ ...page, csrfToken: deriveCsrfToken(secret), passkeyOptions }), {
      status,
      hasScript: hasPasskeys,
    });
  };

  app.get('/login', async (request, reply) => {
    const { values } = readRequestParameters(request.query, ['return_to']);
    const returnTo = returnPath(request, values['return_to']);
    const session = await cookies.findSession(request);
    if (session !== null) {
      if (returnTo !== null) return reply.redirect(returnTo, 302);
      return sendPage(
        reply,
        renderSignedInPage({ csrfToken: deriveCsrfToken(session.token), email: session.user.email }),
      );
    }
    return sendLoginPage(request, reply, { returnTo });
  });

  // A GET has no side effects, because mail scanners and link previews open links too.
  app.get(`${LOGIN_LINK_PATH}/:mark`, async (request, reply) => {
    links.accept(reply, (request.params as { readonly mark: string }).mark);
    return reply.redirect('/login', 303);
  });

  app.post('/login', async (request, reply) => {
    const { values } = readRequestParameters(request.body, ['email', 'password', 'return_to', 'form_token']);
    const problem = findCsrfViolation(request, services.publicUrl, cookies.formSecret(request), values['form_token']);
    if (problem !== null) return sendCsrfError(request, reply, problem);
    const { email = '', password = '' } = values;
    const returnTo = returnPath(request, values['return_to']);
    let hasLink = false;
    const findKnownDevice = (userId: string): string | null => {
      const device = cookies.knownDevice(request, userId);
      if (device !== null) return device;
      const link = links.findKey(request, userId);
      hasLink = link !== null;
      return link;
    };
    const attempt = { email, password, ip: request.ip, findKnownDevice };
    const result = await authenticator.authenticate(services.storage.reader, attempt, services.clock());
    if (result.kind === 'accepted' && hasLink && !(await links.redeem(request, reply))) {
      logAuditEvent(request, 'login_refused', { user_id: result.userId });
      return sendLoginPage(request, reply, { returnTo, email, problem: usedLinkText }, 401);
    }
    if (result.kind === 'accepted') {
      await cookies.signIn(request, reply, result.userId);
      logAuditEvent(request, 'login_succeeded', { user_id: result.userId });
      return reply.redirect(returnTo ?? SIGNED_IN_PATH, 303);
    }
    if (result.kind === 'rejected') {
      logAuditEvent(request, 'login_refused', { user_id: result.userId });
      return sendLoginPage(request, reply, { returnTo, email, problem: wrongPasswordText }, 401);
    }
    if (result.kind === 'locked') {
      const { user, seconds } = result;
      const { isEnabled: hasMail } = services.accountMailer;
      if (hasMail) await links.offer(normalizeEmail(email), user);
      logAuditEvent(request, 'login_throttled', { user_id: user?.id ?? null, retry_after: seconds });
      reply.header('retry-after', String(seconds));
      const problem = lockedText(seconds, { hasMail, hasPasskeys: supportsPasskeys(services.publicUrl) });
      return sendLoginPage(request, reply, { returnTo, email, problem }, 429);
    }
    logAuditEvent(request, 'login_throttled', { user_id: result.userId, retry_after: result.seconds });
    reply.header('retry-after', String(result.seconds));
    return sendLoginPage(request, reply, { returnTo, email, problem: waitText(result.seconds) }, 429);
  });

  app.post('/login/passkey', async (request, reply) => {
    const { values } = readRequestParameters(request.body, ['credential', 'return_to', 'form_token']);
    const secret = cookies.formSecret(request);
    const problem = findCsrfViolation(request, services.publicUrl, secret, values['form_token']);
    if (problem !== null || secret === null) return sendCsrfError(request, reply, problem ?? 'form_token');
    const returnTo = returnPath(request, values['return_to']);
    const userId = await authenticateWithPasskey(services, values['credential'] ?? '', secret);
    if (userId === null) {
      logAuditEvent(request, 'passkey_refused');
      return sendLoginPage(request, reply, { returnTo, problem: unknownPasskeyText }, 401);
    }
    await cookies.signIn(request, reply, userId);
    logAuditEvent(request, 'login_succeeded', { user_id: userId });
    return reply.redirect(returnTo ?? SIGNED_IN_PATH, 303);
  });

  app.post('/logout', async (request, reply) => {
    const { values } = readRequestParameters(request.body, ['return_to', 'form_token']);
    const returnTo = returnPath(request, values['return_to']);
    const session = await cookies.findSession(request);
    if (session !== null) {
      const problem = findCsrfViolation(request, services.publicUrl, session.token, values['form_token']);
      if (problem !== null) return sendCsrfError(request, reply, problem);
      await cookies.signOut(request, reply);
      logAuditEvent(request, 'logout', { user_id: session.user.id });
    }
    return reply.redirect(returnTo ?? SIGNED_OUT_PATH, 303);
  });
};
