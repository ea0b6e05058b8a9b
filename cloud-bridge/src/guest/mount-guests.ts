import { performance } from 'node:perf_hooks';
import cookies from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { RateLimiter } from '../http/rate-limit.ts';
import { messagePage } from '../pages/message-page.ts';
import type { Services } from '../services.ts';
import { codeMailer, type MailOptions } from './code-mail.ts';
import { readBuiltPage } from './built-page.ts';
import { GuestBrowser } from './guest-browser.ts';
import { serveGuestPage } from './guest-page.ts';
import { serveGuestApi } from './guest-routes.ts';
import { LoginDesk } from './login-desk.ts';

/** For each network: a whole hotel may stand behind one address. */
const GUEST_RATE = { perSecond: 50, burst: 500 };

/** Without the page the API still serves: whoever runs the bridge is told, and so is the guest. */
const pageOrApology = async (app: FastifyInstance): Promise<string> => {
  try {
    return await readBuiltPage('guest.html');
  } catch (error) {
    app.log.warn({ reason: (error as Error).message }, 'the guest pages are not built: node console/build.ts');
    return messagePage({ title: 'Not ready', message: 'These pages have not been built yet.' }).text;
  }
};

/** Magic links, the login by e-mail and the page of doors, beside `/v2`. */
export const mountGuests = async (
  app: FastifyInstance,
  services: Services,
  mail: MailOptions | null,
): Promise<void> => {
  serveGuestPage(app, await pageOrApology(app));
  const browser = new GuestBrowser(services);
  const desk = new LoginDesk(services, codeMailer(mail, app.log), app.log);
  const limiter = new RateLimiter(GUEST_RATE, () => performance.now());
  app.register(async scope => {
    await scope.register(cookies);
    serveGuestApi(scope, { services, browser, desk, limiter });
  });
};
