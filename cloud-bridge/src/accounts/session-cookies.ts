import { randomBytes } from 'node:crypto';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { issueKnownBrowserMark, KNOWN_BROWSER_LIFETIME_SECONDS, findKnownBrowserKey } from './known-browser-mark.ts';
import {
  deleteUserSessionByToken,
  findAndRefreshUserSession,
  openUserSession,
  type UserSession,
  USER_SESSION_LIFETIME_SECONDS,
} from './user-sessions.ts';

const SESSION_COOKIE = 'lintel_session';
/** Holds the secret behind CSRF tokens before the user signs in. */
const FORM_SECRET_COOKIE = 'lintel_visit';

/** One cookie per user, because several users can share a browser. */
const deviceCookie = (userId: string): string => `lintel_device_${userId}`;

/** Reads and sets the cookies for user sessions, for known browsers and for the CSRF tokens of the login form. */
export class SessionCookies {
  readonly #services: BridgeServices;

  constructor(services: BridgeServices) {
    this.#services = services;
  }

  async findSession(request: FastifyRequest): Promise<UserSession | null> {
    const token = request.cookies[SESSION_COOKIE];
    if (token === undefined) return null;
    const { storage, clock } = this.#services;
    return findAndRefreshUserSession(storage.writer, token, clock());
  }

  async signIn(request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void> {
    const { storage, clock } = this.#services;
    await this.#closeCurrentSession(request);
    const client = { ip: request.ip, userAgent: request.headers['user-agent'] };
    const token = await openUserSession(storage.writer, userId, clock(), client);
    reply.setCookie(SESSION_COOKIE, token, { ...this.#cookieOptions(), maxAge: USER_SESSION_LIFETIME_SECONDS });
    reply.setCookie(deviceCookie(userId), issueKnownBrowserMark(this.#services.masterKeys, userId, clock()), {
      ...this.#cookieOptions(),
      maxAge: KNOWN_BROWSER_LIFETIME_SECONDS,
    });
    reply.clearCookie(FORM_SECRET_COOKIE, this.#cookieOptions());
  }

  /** A key for counting the attempts of this browser; null unless the user has signed in with it before. */
  knownDevice(request: FastifyRequest, userId: string): string | null {
    const { masterKeys, clock } = this.#services;
    return findKnownBrowserKey(masterKeys, userId, request.cookies[deviceCookie(userId)], clock());
  }

  async signOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.#closeCurrentSession(request);
    reply.clearCookie(SESSION_COOKIE, this.#cookieOptions());
  }

  /** The secret behind the CSRF token of the login form; creates and sets it if the browser has none. */
  getOrCreateFormSecret(request: FastifyRequest, reply: FastifyReply): string {
    const existing = this.formSecret(request);
    if (existing !== null) return existing;
    const secret = randomBytes(32).toString('base64url');
    reply.setCookie(FORM_SECRET_COOKIE, secret, this.#cookieOptions());
    return secret;
  }

  formSecret(request: FastifyRequest): string | null {
    return request.cookies[FORM_SECRET_COOKIE] || null;
  }

  async #closeCurrentSession(request: FastifyRequest): Promise<void> {
    const token = request.cookies[SESSION_COOKIE];
    if (token !== undefined) await deleteUserSessionByToken(this.#services.storage.writer, token);
  }

  #cookieOptions(): CookieSerializeOptions {
    return { path: '/', httpOnly: true, sameSite: 'lax', secure: this.#services.publicUrl.startsWith('https:') };
  }
}
