import { performance } from 'node:perf_hooks';
import cookies from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import type { ActionPort } from '../actions/action-port.ts';
import { RateLimiter } from '../http/rate-limit.ts';
import { builtPageSender } from '../pages/built-page-sender.ts';
import type { Services } from '../services.ts';
import { codeMailer, type MailOptions } from './code-mail.ts';
import { GuestBrowser } from './guest-browser.ts';
import { serveGuestApi } from './guest-routes.ts';
import { LoginService } from './login-service.ts';

/** For each network: a whole hotel may stand behind one address. */
const GUEST_RATE = { perSecond: 50, burst: 500 };

/** Magic links, the login by e-mail and the page of doors, beside `/v2`. */
export const mountGuests = async (
  app: FastifyInstance,
  services: Services,
  actions: ActionPort,
  mail: MailOptions | null,
): Promise<void> => {
  const send = await builtPageSender(app.log, {
    file: 'guest.html',
    images: 'https:',
    permissions: 'geolocation=(self)',
  });
  // One page for all addresses of a guest; its script reads which it is. Getting it changes nothing, because mail
  // scanners and previews open links too.
  for (const path of ['/g/:token', '/guest', '/guest/login']) app.get(path, send);
  const browser = new GuestBrowser(services);
  const login = new LoginService(services, codeMailer(mail, app.log), app.log);
  const limiter = new RateLimiter(GUEST_RATE, () => performance.now());
  app.register(async scope => {
    await scope.register(cookies);
    serveGuestApi(scope, { services, actions, browser, login, limiter });
  });
};
