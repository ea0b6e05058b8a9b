import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The name with the given public URL. Browsers accept `__Host-` only with HTTPS, the path `/` and no domain. */
export const buildCookieName = (publicUrl: string, name: string): string =>
  publicUrl.startsWith('https:') ? `__Host-${name}` : name;

interface PublicAddress {
  readonly publicUrl: string;
}

/** A cookie for this host only: with HTTPS, other hosts of the domain can neither read nor set it. */
export class BridgeCookie {
  readonly #services: PublicAddress;
  readonly #name: string;
  readonly #path: string;

  /** `path` applies without HTTPS. */
  constructor(services: PublicAddress, name: string, path = '/') {
    this.#services = services;
    this.#name = name;
    this.#path = path;
  }

  /** Null if the browser has none or an empty one. */
  read(request: FastifyRequest): string | null {
    return request.cookies[this.#fullName] || null;
  }

  /** Without `maxAgeSeconds` until the browser closes. */
  set(reply: FastifyReply, value: string, maxAgeSeconds?: number): void {
    reply.setCookie(this.#fullName, value, {
      ...this.#options,
      ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }),
    });
  }

  clear(reply: FastifyReply): void {
    reply.clearCookie(this.#fullName, this.#options);
  }

  get #fullName(): string {
    return buildCookieName(this.#services.publicUrl, this.#name);
  }

  get #options(): CookieSerializeOptions {
    const secure = this.#services.publicUrl.startsWith('https:');
    return { path: secure ? '/' : this.#path, httpOnly: true, sameSite: 'lax', secure };
  }
}
