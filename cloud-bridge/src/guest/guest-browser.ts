import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-error.ts';
import type { Services } from '../services.ts';
import {
  closeGuestSession,
  findGuestSession,
  GUEST_SESSION_SECONDS,
  type Membership,
  openGuestSession,
  pastReason,
} from './guest-sessions.ts';

const COOKIE = 'lintel_guest';

const tokenOf = (request: FastifyRequest): string | null => request.cookies[COOKIE] || null;

const noSession = (): ApiError =>
  new ApiError('unauthorized', 'Nobody is logged in here: open the link again', {}, { 'www-authenticate': 'Bearer' });

/** Throws when nothing is left of these memberships, with the reason of the first. */
const requirePresent = (memberships: readonly Membership[], now: number): readonly Membership[] => {
  const present = memberships.filter(({ member }) => pastReason(member, now) === null);
  const [first] = memberships;
  if (first === undefined || present.length > 0) return present;
  const reason = pastReason(first.member, now) ?? 'member_ended';
  throw new ApiError('permission_denied', 'The access has ended', { reason });
};

/** The cookie of one guest's browser. It goes to the guest pages alone. */
export class GuestBrowser {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Everyone that the browser stands for, ended and deleted members too; 401 for nobody. */
  async memberships(request: FastifyRequest): Promise<readonly Membership[]> {
    const token = tokenOf(request);
    const { storage, clock } = this.#services;
    const found = token === null ? [] : await findGuestSession(storage.reader, token, clock());
    if (found.length === 0) throw noSession();
    return found;
  }

  async presentMemberships(request: FastifyRequest): Promise<readonly Membership[]> {
    return requirePresent(await this.memberships(request), this.#services.clock());
  }

  async admit(request: FastifyRequest, reply: FastifyReply, memberships: readonly Membership[]): Promise<void> {
    const { storage, clock } = this.#services;
    const present = requirePresent(memberships, clock());
    await this.#closeOld(request);
    const token = await openGuestSession(storage.writer, present, clock());
    reply.setCookie(COOKIE, token, { ...this.#options(), maxAge: GUEST_SESSION_SECONDS });
  }

  async leave(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.#closeOld(request);
    reply.clearCookie(COOKIE, this.#options());
  }

  async #closeOld(request: FastifyRequest): Promise<void> {
    const token = tokenOf(request);
    if (token !== null) await closeGuestSession(this.#services.storage.writer, token);
  }

  #options(): CookieSerializeOptions {
    return { path: '/guest', httpOnly: true, sameSite: 'lax', secure: this.#services.publicUrl.startsWith('https:') };
  }
}
