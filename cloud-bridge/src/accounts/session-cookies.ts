import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BridgeCookie } from '../http/bridge-cookie.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { issueKnownBrowserMark, KNOWN_BROWSER_LIFETIME_SECONDS, findKnownBrowserKey } from './known-browser-mark.ts';
import {
  deleteUserSessionByToken,
  findAndRefreshUserSession,
  openUserSession,
  type UserSession,
  USER_SESSION_LIFETIME_SECONDS,
} from './user-sessions.ts';

export const SESSION_COOKIE = 'lintel_session';

/** Reads and sets the cookies for user sessions, for known browsers and for the CSRF tokens of the login form. */
export class SessionCookies {
  readonly #services: BridgeServices;
  readonly #session: BridgeCookie;
  /** Holds the secret behind CSRF tokens before the user signs in. */
  readonly #formSecret: BridgeCookie;

  constructor(services: BridgeServices) {
    this.#services = services;
    this.#session = new BridgeCookie(services, SESSION_COOKIE);
    this.#formSecret = new BridgeCookie(services, 'lintel_visit');
  }

  async findSession(request: FastifyRequest): Promise<UserSession | null> {
    const token = this.#session.read(request);
    if (token === null) return null;
    const { storage, clock } = this.#services;
    return findAndRefreshUserSession(storage.writer, token, clock());
  }

  async signIn(request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void> {
    const { storage, clock } = this.#services;
    await this.#closeCurrentSession(request);
    const client = { ip: request.ip, userAgent: request.headers['user-agent'] };
    const token = await openUserSession(storage.writer, userId, clock(), client);
    this.#session.set(reply, token, USER_SESSION_LIFETIME_SECONDS);
    const mark = issueKnownBrowserMark(this.#services.masterKeys, userId, clock());
    this.#deviceOf(userId).set(reply, mark, KNOWN_BROWSER_LIFETIME_SECONDS);
    this.#formSecret.clear(reply);
  }

  /** A key for counting the attempts of this browser; null unless the user has signed in with it before. */
  knownDevice(request: FastifyRequest, userId: string): string | null {
    const { masterKeys, clock } = this.#services;
    return findKnownBrowserKey(masterKeys, userId, this.#deviceOf(userId).read(request), clock());
  }

  async signOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.#closeCurrentSession(request);
    this.#session.clear(reply);
  }

  /** The secret behind the CSRF token of the login form; creates and sets it if the browser has none. */
  getOrCreateFormSecret(request: FastifyRequest, reply: FastifyReply): string {
    const existing = this.formSecret(request);
    if (existing !== null) return existing;
    const secret = randomBytes(32).toString('base64url');
    this.#formSecret.set(reply, secret);
    return secret;
  }

  formSecret(request: FastifyRequest): string | null {
    return this.#formSecret.read(request);
  }

  async #closeCurrentSession(request: FastifyRequest): Promise<void> {
    const token = this.#session.read(request);
    if (token !== null) await deleteUserSessionByToken(this.#services.storage.writer, token);
  }

  /** One cookie per user, because several users can share a browser. */
  #deviceOf(userId: string): BridgeCookie {
    return new BridgeCookie(this.#services, `lintel_device_${userId}`);
  }
}
