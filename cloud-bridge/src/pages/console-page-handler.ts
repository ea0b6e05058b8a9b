import { gzipSync } from 'node:zlib';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { readUpToDateConsolePage } from './build-if-outdated-and-read-console-file.ts';
import { computeCspHashes } from './csp-hashes.ts';
import { renderMessagePage } from './message-page.ts';

interface ConsolePageOptions {
  /** Name of the file in the build output of the console. */
  readonly file: string;
  /** Additional CSP source for images, besides `data:`. */
  readonly images: string;
  readonly permissions: string;
  /** Whether script and style are files of this bridge instead of parts of the page. */
  readonly usesAssets?: boolean;
  /** Whether the page has a manifest, a service worker and a script that it loads later. */
  readonly isInstallable?: boolean;
}

/** Permits only the inline script and style of the page, or those of this bridge. */
const policyOf = (html: string, { images, usesAssets = false, isInstallable = false }: ConsolePageOptions): string =>
  [
    "default-src 'none'",
    `script-src ${usesAssets ? "'self'" : computeCspHashes(html, 'script') || "'none'"}${isInstallable ? " 'self'" : ''}`,
    `style-src ${usesAssets ? "'self'" : computeCspHashes(html, 'style') || "'none'"}`,
    `img-src ${images} data:`,
    "connect-src 'self'",
    ...(isInstallable ? ["worker-src 'self'", "manifest-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The API works without the page, so a failed build is logged and shown as a message. */
const readPageOrMessage = async (log: FastifyBaseLogger, file: string): Promise<string> => {
  try {
    return await readUpToDateConsolePage(file);
  } catch (error) {
    log.warn({ reason: (error as Error).message, file }, 'Page is not built. Run node console/build.ts');
    return renderMessagePage({
      title: 'Page not available',
      message: 'This page is not built. Run node console/build.ts and restart the bridge.',
    }).text;
  }
};

const loadPage = async (log: FastifyBaseLogger, options: ConsolePageOptions) => {
  const { file, permissions, usesAssets = false } = options;
  const html = await readPageOrMessage(log, file);
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policyOf(html, options),
    'permissions-policy': permissions,
    // With `no-referrer`, browsers would send forms of this page with `Origin: null`.
    ...(usesAssets ? { 'referrer-policy': 'same-origin' } : {}),
    vary: 'accept-encoding',
  };
  return { html, compressed: gzipSync(html, { level: 9 }), headers };
};

/** A request handler that sends one page of the console, compressed if the browser supports it. Loads it at first use. */
export const createConsolePageHandler = (log: FastifyBaseLogger, options: ConsolePageOptions) => {
  let loading: ReturnType<typeof loadPage> | null = null;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    loading ??= loadPage(log, options);
    const { html, compressed, headers } = await loading;
    reply.headers(headers);
    const acceptsGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    return acceptsGzip ? reply.header('content-encoding', 'gzip').send(compressed) : reply.send(html);
  };
};
