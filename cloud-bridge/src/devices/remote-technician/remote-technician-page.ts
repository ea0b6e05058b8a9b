import cookies from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { SessionCookies } from '../../accounts/session-cookies.ts';
import { createConsolePageHandler } from '../../pages/console-page-handler.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';

/** The technician page for remote use: the file that controllers serve; its script reads from the address where it is. */
export const serveRemoteTechnicianPage = (app: FastifyInstance, services: BridgeServices): void => {
  const send = createConsolePageHandler(app.log, {
    file: 'technician.html',
    images: 'blob:',
    permissions: 'camera=(self), geolocation=(), microphone=()',
  });
  app.register(async scope => {
    await scope.register(cookies);
    const browser = new SessionCookies(services);
    for (const path of ['/technician', '/technician/devices/:device_id'])
      scope.get(path, async (request, reply) =>
        (await browser.findSession(request)) === null
          ? reply.redirect(`/login?return_to=${encodeURIComponent(request.url)}`, 302)
          : send(request, reply),
      );
  });
};
