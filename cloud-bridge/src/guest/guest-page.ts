import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { inlineHashes } from '../pages/inline-hashes.ts';

/** Exactly the script and the style that were built in, and pictures of sites from wherever they are kept. */
const policyOf = (html: string): string =>
  [
    "default-src 'none'",
    `script-src ${inlineHashes(html, 'script')}`,
    `style-src ${inlineHashes(html, 'style')}`,
    'img-src https: data:',
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * One page for all of the guest's addresses; its script sees which it is. Getting it does nothing: mail scanners and
 * previews open links too. No referrer is ever sent, so a link's token leaves the address bar for nowhere.
 */
export const serveGuestPage = (app: FastifyInstance, html: string): void => {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policyOf(html),
    'permissions-policy': 'geolocation=(self)',
    vary: 'accept-encoding',
  };
  let zipped: Buffer | undefined;
  const gzipped = (): Buffer => (zipped ??= gzipSync(html, { level: 9 }));
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(headers);
    const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    return takesGzip ? reply.header('content-encoding', 'gzip').send(gzipped()) : reply.send(html);
  };
  for (const path of ['/g/:token', '/guest', '/guest/login']) app.get(path, send);
};
