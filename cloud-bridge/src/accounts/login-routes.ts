import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loginPage, signedInPage } from '../pages/login-page.ts';
import { messagePage } from '../pages/message-page.ts';
import { sendPage } from '../pages/send-page.ts';
import type { Services } from '../services.ts';
import { audit } from './audit.ts';
import type { Browser } from './browser.ts';
import { readParameters } from './form-fields.ts';
import { formProblem, formToken } from './form-token.ts';
import { localPath } from './return-path.ts';
import { SignInDesk } from './sign-in.ts';

const SIGNED_IN = '/login';

const wrongText = 'Email or password is wrong.';

const waitText = (seconds: number): string =>
  seconds < 90
    ? `Too many tries. Try again in ${seconds} seconds.`
    : `Too many tries. Try again in ${Math.ceil(seconds / 60)} minutes.`;

/** Where to go afterwards; an address elsewhere is refused and said so in the log. */
const returnPath = (request: FastifyRequest, given: string | undefined): string | null => {
  if (given === undefined) return null;
  const path = localPath(given);
  if (path === null) audit(request, 'return_address_refused');
  return path;
};

/** A form that none of our pages made, or one that has grown too old. */
export const refuseForm = (request: FastifyRequest, reply: FastifyReply, problem: string): FastifyReply => {
  audit(request, 'form_refused', { problem });
  const title = 'This form cannot be used';
  const message = 'It is too old, or it was not made by this site. Go back, reload the page and try again.';
  return sendPage(reply, messagePage({ title, message }), { status: 403 });
};

/** `/login` and `/logout`. */
export const serveLogin = (app: FastifyInstance, services: Services, browser: Browser): void => {
  const desk = new SignInDesk();

  app.get('/login', async (request, reply) => {
    const { values } = readParameters(request.query, ['return_to']);
    const returnTo = returnPath(request, values['return_to']);
    const session = await browser.session(request);
    if (session !== null) {
      if (returnTo !== null) return reply.redirect(returnTo, 302);
      return sendPage(reply, signedInPage({ formToken: formToken(session.token), email: session.user.email }));
    }
    return sendPage(reply, loginPage({ formToken: formToken(browser.visitSecret(request, reply)), returnTo }));
  });

  app.post('/login', async (request, reply) => {
    const { values } = readParameters(request.body, ['email', 'password', 'return_to', 'form_token']);
    const problem = formProblem(request, services.publicUrl, browser.knownVisitSecret(request), values['form_token']);
    if (problem !== null) return refuseForm(request, reply, problem);
    const { email = '', password = '' } = values;
    const returnTo = returnPath(request, values['return_to']);
    const outcome = await desk.check(services.storage.reader, { email, password, ip: request.ip }, services.clock());
    if (outcome.kind === 'welcome') {
      await browser.signIn(request, reply, outcome.userId);
      audit(request, 'login_succeeded', { user_id: outcome.userId });
      return reply.redirect(returnTo ?? SIGNED_IN, 303);
    }
    const page = { formToken: formToken(browser.visitSecret(request, reply)), returnTo, email };
    if (outcome.kind === 'wrong') {
      audit(request, 'login_refused', { user_id: outcome.userId });
      return sendPage(reply, loginPage({ ...page, problem: wrongText }), { status: 401 });
    }
    audit(request, 'login_throttled', { user_id: outcome.userId, retry_after: outcome.seconds });
    reply.header('retry-after', String(outcome.seconds));
    return sendPage(reply, loginPage({ ...page, problem: waitText(outcome.seconds) }), { status: 429 });
  });

  app.post('/logout', async (request, reply) => {
    const { values } = readParameters(request.body, ['return_to', 'form_token']);
    const returnTo = returnPath(request, values['return_to']);
    const session = await browser.session(request);
    if (session !== null) {
      const problem = formProblem(request, services.publicUrl, session.token, values['form_token']);
      if (problem !== null) return refuseForm(request, reply, problem);
      await browser.signOut(request, reply);
      audit(request, 'logout', { user_id: session.user.id });
    }
    return reply.redirect(returnTo ?? SIGNED_IN, 303);
  });
};
