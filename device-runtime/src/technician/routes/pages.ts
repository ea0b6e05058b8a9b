import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { builtPage, type BuiltPage } from '../http/built-page.ts';

/** Beside the program in a package. */
const packaged = join(import.meta.dirname, '../pages');
const ofCheckout = join(import.meta.dirname, '../../../../console/dist');

export const defaultPages = (): string => (existsSync(packaged) ? packaged : ofCheckout);

const apology = `<!doctype html><html lang="en"><title>Not built</title>
<h1>The technician's page is not built</h1>
<p>In a checkout it is built by <code>node console/build.ts</code>; elsewhere start the controller with
<code>--pages DIR</code>, the folder of technician.html. The API at /technician/v1 is served all the same.</p></html>
`;

const encoded = (page: BuiltPage, accepts: string): readonly [string | null, Buffer] => {
  if (/\bbr\b/.test(accepts)) return ['br', page.brotli];
  return /\bgzip\b/.test(accepts) ? ['gzip', page.gzip] : [null, page.html];
};

const send = (reply: FastifyReply, page: BuiltPage, accepts: string, known: string | undefined): FastifyReply => {
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    // Kept, and asked for each time whether it is still the same.
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

/** `/`: the technician's page in one file. It holds nothing secret, so anybody on the network may have it. */
export const servePage = (app: FastifyInstance, folder: string): void => {
  const current = builtPage(join(folder, 'technician.html'));
  app.get('/', async (request, reply) => {
    const page = current();
    if (page === null) return reply.code(404).type('text/html; charset=utf-8').send(apology);
    const { 'accept-encoding': accepts = '', 'if-none-match': known } = request.headers;
    return send(reply, page, accepts, known);
  });
};
