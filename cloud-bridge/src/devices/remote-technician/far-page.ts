import cookies from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { Browser } from '../../accounts/browser.ts';
import { builtPageSender } from '../../pages/built-page-sender.ts';
import type { Services } from '../../services.ts';

/** The technician page for remote use: the file that controllers serve; its script reads from the address where it is. */
export const serveFarPage = async (app: FastifyInstance, services: Services): Promise<void> => {
  const send = await builtPageSender(app.log, {
    file: 'technician.html',
    images: 'blob:',
    permissions: 'camera=(self), geolocation=(), microphone=()',
  });
  app.register(async scope => {
    await scope.register(cookies);
    const browser = new Browser(services);
    for (const path of ['/technician', '/technician/devices/:device_id'])
      scope.get(path, async (request, reply) =>
        (await browser.session(request)) === null
          ? reply.redirect(`/login?return_to=${encodeURIComponent(request.url)}`, 302)
          : send(request, reply),
      );
  });
};
