import { gzipSync } from 'node:zlib';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { readBuiltPage } from './built-page.ts';
import { inlineHashes } from './inline-hashes.ts';
import { messagePage } from './message-page.ts';

interface PageOptions {
  /** In the built files of the console. */
  readonly file: string;
  /** Where images may come from, beside `data:`. */
  readonly images: string;
  readonly permissions: string;
}

/** Exactly the script and the style that were built in. */
const policyOf = (html: string, images: string): string =>
  [
    "default-src 'none'",
    `script-src ${inlineHashes(html, 'script') || "'none'"}`,
    `style-src ${inlineHashes(html, 'style') || "'none'"}`,
    `img-src ${images} data:`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Without the page the API still works, so a missing build is logged and shown as a message. */
const readOrExplain = async (log: FastifyBaseLogger, file: string): Promise<string> => {
  try {
    return await readBuiltPage(file);
  } catch (error) {
    log.warn({ reason: (error as Error).message, file }, 'the page is not built: run node console/build.ts');
    return messagePage({ title: 'Not ready', message: 'This page has not been built yet.' }).text;
  }
};

/** Sends one page of the console, compressed where the browser accepts it. */
export const builtPageSender = async (log: FastifyBaseLogger, { file, images, permissions }: PageOptions) => {
  const html = await readOrExplain(log, file);
  const compressed = gzipSync(html, { level: 9 });
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policyOf(html, images),
    'permissions-policy': permissions,
    vary: 'accept-encoding',
  };
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    reply.headers(headers);
    const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    return takesGzip ? reply.header('content-encoding', 'gzip').send(compressed) : reply.send(html);
  };
};
