import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

const LIFETIME_SECONDS = 3600;

/**
 * Keeps the token of a link in a cookie while the user works on its page, so that the token is neither in the address bar
 * nor in a form or a return address.
 */
export class AccountLinkTokenCookie {
  readonly #name: string;
  readonly #options: CookieSerializeOptions;

  constructor(name: string, path: string, publicUrl: string) {
    this.#name = name;
    this.#options = { path, httpOnly: true, sameSite: 'lax', secure: publicUrl.startsWith('https:') };
  }

  read(request: FastifyRequest): string {
    return request.cookies[this.#name] ?? '';
  }

  set(reply: FastifyReply, token: string): void {
    reply.setCookie(this.#name, token, { ...this.#options, maxAge: LIFETIME_SECONDS });
  }

  clear(reply: FastifyReply): void {
    reply.clearCookie(this.#name, this.#options);
  }
}
