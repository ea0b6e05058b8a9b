import type { FastifyInstance, FastifyReply } from 'fastify';
import { readFileSync } from 'node:fs';
import { icon } from './frame.ts';
import type { Markup } from './markup.ts';

/** Nothing but our own style and picture, no script at all. */
const policy = (formAction: string): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    `form-action ${formAction}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export interface PageOptions {
  readonly status?: number;
  /** An address outside that a form of this page ends up at through redirects: browsers count the whole way. */
  readonly leadsTo?: string;
}

/** Where the application sends the browser next is its own business, so only the scheme is held. */
const formActions = (leadsTo: string | undefined): string => {
  if (leadsTo === undefined) return "'self'";
  const { protocol } = new URL(leadsTo);
  return [...new Set(["'self'", 'https:', protocol])].join(' ');
};

export const sendPage = (reply: FastifyReply, page: Markup, options: PageOptions = {}): FastifyReply =>
  reply
    .code(options.status ?? 200)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy(formActions(options.leadsTo)),
      // With no-referrer browsers would send our own forms with `Origin: null`.
      'referrer-policy': 'same-origin',
    })
    .send(page.text);

const style = readFileSync(new URL('./style.css', import.meta.url), 'utf8');

export const servePageFiles = (app: FastifyInstance): void => {
  const files = { '/login/style.css': ['text/css', style], '/login/icon.svg': ['image/svg+xml', icon.text] } as const;
  for (const [path, [type, content]] of Object.entries(files)) {
    app.get(path, async (_, reply) =>
      reply.headers({ 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=300' }).send(content),
    );
  }
};
