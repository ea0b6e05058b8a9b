import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { createTechnicianPageLoader, type BuiltTechnicianPage } from '../http/technician-page-loader.ts';

/** In an installed package. */
const packagedPages = join(import.meta.dirname, '../pages');
const checkoutPages = join(import.meta.dirname, '../../../../console/dist');

export const findDefaultPagesFolder = (): string => (existsSync(packagedPages) ? packagedPages : checkoutPages);

const notBuiltPage = `<!doctype html><html lang="en"><title>Not built</title>
<h1>The technician page is not built</h1>
<p>In a checkout, run <code>node console/build.ts</code>. Otherwise start the controller with
<code>--pages DIR</code>, the folder of technician.html. The API at /technician/v1 is available.</p></html>
`;

const encoded = (page: BuiltTechnicianPage, accepts: string): readonly [string | null, Buffer] => {
  if (/\bbr\b/.test(accepts)) return ['br', page.brotli];
  return /\bgzip\b/.test(accepts) ? ['gzip', page.gzip] : [null, page.html];
};

const send = (
  reply: FastifyReply,
  page: BuiltTechnicianPage,
  accepts: string,
  known: string | undefined,
): FastifyReply => {
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    // Cached, but revalidated on each request.
    'cache-control': 'no-cache',
    etag: page.etag,
    vary: 'accept-encoding',
    'content-security-policy': page.policy,
    'permissions-policy': 'camera=(self), geolocation=(), microphone=()',
  });
  if (known === page.etag) return reply.code(304).send();
  const [encoding, bytes] = encoded(page, accepts);
  return (encoding === null ? reply : reply.header('content-encoding', encoding)).send(bytes);
};

/** Serves the technician page at `/`. It contains no secrets and needs no login. */
export const serveTechnicianPageFile = (app: FastifyInstance, folder: string): void => {
  const current = createTechnicianPageLoader(join(folder, 'technician.html'));
  app.get('/', async (request, reply) => {
    const page = current();
    if (page === null) return reply.code(404).type('text/html; charset=utf-8').send(notBuiltPage);
    const { 'accept-encoding': accepts = '', 'if-none-match': known } = request.headers;
    return send(reply, page, accepts, known);
  });
};
