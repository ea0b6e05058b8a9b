import { performance } from 'node:perf_hooks';
import cookiePlugin from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import type { DeviceActionExecutor } from '../actions/device-action-executor-interface.ts';
import { NetworkRateLimiter } from '../http/rate-limit.ts';
import { createConsolePageHandler } from '../pages/console-page-handler.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { MailOptions } from '../mail/mail-sender.ts';
import { createGuestLoginCodeMailer, type OperatorTerminal } from './login-code-mailer.ts';
import { serveGuestAppFiles } from './guest-app-files.ts';
import { GuestSessionCookies } from './guest-session-cookies.ts';
import { serveGuestApi } from './serve-guest-api.ts';
import { GuestEmailCodeLogin } from './guest-email-code-login.ts';

/** Per network; high, because a whole hotel can share one address. */
const GUEST_RATE = { perSecond: 50, burst: 500 };

/** Mounts the guest pages and their API: magic links, login by email, and doors. */
export const mountGuestPagesAndApi = (
  app: FastifyInstance,
  services: BridgeServices,
  actions: DeviceActionExecutor,
  { mail, terminal }: { readonly mail: MailOptions | null; readonly terminal: OperatorTerminal | null },
): void => {
  const send = createConsolePageHandler(app.log, {
    file: 'guest.html',
    images: "'self' https:",
    permissions: 'geolocation=(self)',
    isInstallable: true,
  });
  // One page serves all guest URLs; its script reads the URL. A GET has no side effects, because mail scanners and
  // link previews open links too.
  for (const path of ['/g/:token', '/guest', '/guest/login']) app.get(path, send);
  serveGuestAppFiles(app);
  const cookies = new GuestSessionCookies(services);
  const login = new GuestEmailCodeLogin(services, createGuestLoginCodeMailer(mail, terminal, app.log), app.log);
  const limiter = new NetworkRateLimiter(GUEST_RATE, () => performance.now());
  app.register(async scope => {
    await scope.register(cookiePlugin);
    serveGuestApi(scope, { services, actions, cookies, login, limiter });
  });
};
