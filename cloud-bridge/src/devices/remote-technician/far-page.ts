import { gzipSync } from 'node:zlib';
import cookies from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Browser } from '../../accounts/browser.ts';
import { readBuiltPage } from '../../guest/built-page.ts';
import { inlineHashes } from '../../pages/inline-hashes.ts';
import { messagePage } from '../../pages/message-page.ts';
import type { Services } from '../../services.ts';

const policyOf = (html: string): string =>
  [
    "default-src 'none'",
    `script-src ${inlineHashes(html, 'script') || "'none'"}`,
    `style-src ${inlineHashes(html, 'style') || "'none'"}`,
    'img-src data: blob:',
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Without the page the API still serves: whoever runs the bridge is told, and so is the technician. */
const pageOrApology = async (app: FastifyInstance): Promise<string> => {
  try {
    return await readBuiltPage('technician.html');
  } catch (error) {
    app.log.warn({ reason: (error as Error).message }, 'the technician page is not built: node console/build.ts');
    return messagePage({ title: 'Not ready', message: 'This page has not been built yet.' }).text;
  }
};

/** The technician's page from afar: the same file as at the door; its script sees by the address where it is. */
export const serveFarPage = async (app: FastifyInstance, services: Services): Promise<void> => {
  const html = await pageOrApology(app);
  let zipped: Buffer | undefined;
  const gzipped = (): Buffer => (zipped ??= gzipSync(html, { level: 9 }));
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policyOf(html),
    'permissions-policy': 'camera=(self), geolocation=(), microphone=()',
    vary: 'accept-encoding',
  };
  app.register(async scope => {
    await scope.register(cookies);
    const browser = new Browser(services);
    const send = async (request: FastifyRequest, reply: FastifyReply) => {
      if ((await browser.session(request)) === null)
        return reply.redirect(`/login?return_to=${encodeURIComponent(request.url)}`, 302);
      reply.headers(headers);
      const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
      return takesGzip ? reply.header('content-encoding', 'gzip').send(gzipped()) : reply.send(html);
    };
    for (const path of ['/technician', '/technician/devices/:device_id']) scope.get(path, send);
  });
};
