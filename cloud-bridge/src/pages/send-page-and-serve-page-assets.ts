import type { FastifyInstance, FastifyReply } from 'fastify';
import { readFileSync } from 'node:fs';
import { favicon } from './page-layout.ts';
import type { HtmlMarkup } from './html-template.ts';

/** Permits the stylesheet and images of this bridge, and its scripts only on pages with a script. */
const policy = (formAction: string, hasScript: boolean): string =>
  [
    "default-src 'none'",
    ...(hasScript ? ["script-src 'self'"] : []),
    "style-src 'self'",
    "img-src 'self'",
    `form-action ${formAction}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export interface SendPageOptions {
  readonly status?: number;
  /** An external URL that the form of this page redirects to; browsers apply `form-action` to redirects too. */
  readonly redirectTarget?: string;
  readonly hasScript?: boolean;
}

/** The application can redirect further, so only the scheme is restricted. */
const formActions = (redirectTarget: string | undefined): string => {
  if (redirectTarget === undefined) return "'self'";
  const { protocol } = new URL(redirectTarget);
  return [...new Set(["'self'", 'https:', protocol])].join(' ');
};

export const sendPage = (reply: FastifyReply, page: HtmlMarkup, options: SendPageOptions = {}): FastifyReply =>
  reply
    .code(options.status ?? 200)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy(formActions(options.redirectTarget), options.hasScript ?? false),
      // With `no-referrer`, browsers would send forms of this bridge with `Origin: null`.
      'referrer-policy': 'same-origin',
    })
    .send(page.text);

const readAsset = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

const style = readAsset('./style.css');
const passkeys = readAsset('./passkeys.js');
const showPassword = readAsset('./show-password.js');

export const servePageAssets = (app: FastifyInstance): void => {
  const files = {
    '/login/style.css': ['text/css', style],
    '/login/passkeys.js': ['text/javascript', passkeys],
    '/login/show-password.js': ['text/javascript', showPassword],
    '/login/icon.svg': ['image/svg+xml', favicon.text],
  } as const;
  for (const [path, [type, content]] of Object.entries(files)) {
    app.get(path, async (_, reply) =>
      reply.headers({ 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=300' }).send(content),
    );
  }
};
