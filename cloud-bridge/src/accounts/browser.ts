import { randomBytes } from 'node:crypto';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../services.ts';
import { closeSession, findSession, openSession, type Session, SESSION_SECONDS } from './sessions.ts';

const SESSION = 'lintel_session';
/** What a form is bound to before there is a session. */
const VISIT = 'lintel_visit';

/** The cookies of one visitor: who is signed in, and what the forms of their pages are bound to. */
export class Browser {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  async session(request: FastifyRequest): Promise<Session | null> {
    const token = request.cookies[SESSION];
    if (token === undefined) return null;
    const { storage, clock } = this.#services;
    return findSession(storage.writer, token, clock());
  }

  async signIn(request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void> {
    const { storage, clock } = this.#services;
    await this.#closeOld(request);
    const token = await openSession(storage.writer, userId, clock());
    reply.setCookie(SESSION, token, { ...this.#options(), maxAge: SESSION_SECONDS });
    reply.clearCookie(VISIT, this.#options());
  }

  async signOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.#closeOld(request);
    reply.clearCookie(SESSION, this.#options());
  }

  /** The secret behind the login form, made for a browser that has none yet. */
  visitSecret(request: FastifyRequest, reply: FastifyReply): string {
    const known = this.knownVisitSecret(request);
    if (known !== null) return known;
    const secret = randomBytes(32).toString('base64url');
    reply.setCookie(VISIT, secret, this.#options());
    return secret;
  }

  knownVisitSecret(request: FastifyRequest): string | null {
    return request.cookies[VISIT] || null;
  }

  async #closeOld(request: FastifyRequest): Promise<void> {
    const token = request.cookies[SESSION];
    if (token !== undefined) await closeSession(this.#services.storage.writer, token);
  }

  #options(): CookieSerializeOptions {
    return { path: '/', httpOnly: true, sameSite: 'lax', secure: this.#services.publicUrl.startsWith('https:') };
  }
}
