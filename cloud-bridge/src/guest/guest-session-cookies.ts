import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  issueKnownBrowserMark,
  KNOWN_BROWSER_LIFETIME_SECONDS,
  findKnownBrowserKey,
} from '../accounts/known-browser-mark.ts';
import { ApiError } from '../http/api-error.ts';
import { BridgeCookie } from '../http/bridge-cookie.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { loadContactOfMember, toContactArgs } from './guest-contact.ts';
import {
  deleteGuestSessionByToken,
  findGuestSessionMembers,
  GUEST_SESSION_LIFETIME_SECONDS,
  type AuthenticatedGuestMember,
  openGuestSession,
  findAccessEndReason,
} from './guest-sessions.ts';

const PATH = '/guest';

/** Differs from every user id. */
const deviceSubject = (email: string): string => `guest ${email}`;

const noSessionError = (): ApiError =>
  new ApiError('unauthorized', 'You are not signed in. Open the link again', {}, { 'www-authenticate': 'Bearer' });

/** Throws if the access of all members has ended, with the reason of the first. */
const requireActive = async (
  { storage, clock }: BridgeServices,
  members: readonly AuthenticatedGuestMember[],
): Promise<readonly AuthenticatedGuestMember[]> => {
  const now = clock();
  const active = members.filter(({ member }) => findAccessEndReason(member, now) === null);
  const [first] = members;
  if (first === undefined || active.length > 0) return active;
  const reason = findAccessEndReason(first.member, now) ?? 'member_ended';
  const contact = toContactArgs(await loadContactOfMember(storage.reader, first));
  throw new ApiError('permission_denied', 'Access has ended', { reason, ...contact });
};

/** Reads and sets the cookies of guests, which are limited to the guest pages. */
export class GuestSessionCookies {
  readonly #services: BridgeServices;
  readonly #session: BridgeCookie;
  readonly #device: BridgeCookie;

  constructor(services: BridgeServices) {
    this.#services = services;
    this.#session = new BridgeCookie(services, 'lintel_guest', PATH);
    this.#device = new BridgeCookie(services, 'lintel_guest_device', PATH);
  }

  /** All members of the session, including ended and deleted ones. Throws 401 without a session. */
  async members(request: FastifyRequest): Promise<readonly AuthenticatedGuestMember[]> {
    const token = this.#session.read(request);
    const { storage, clock } = this.#services;
    const found = token === null ? [] : await findGuestSessionMembers(storage.reader, token, clock());
    if (found.length === 0) throw noSessionError();
    return found;
  }

  async activeMembers(request: FastifyRequest): Promise<readonly AuthenticatedGuestMember[]> {
    return requireActive(this.#services, await this.members(request));
  }

  async signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    members: readonly AuthenticatedGuestMember[],
  ): Promise<void> {
    const { storage, clock } = this.#services;
    const active = await requireActive(this.#services, members);
    await this.#closeCurrentSession(request);
    const token = await openGuestSession(storage.writer, active, clock());
    this.#session.set(reply, token, GUEST_SESSION_LIFETIME_SECONDS);
  }

  async signOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.#closeCurrentSession(request);
    this.#session.clear(reply);
  }

  /** Marks the browser as one in which the guest with this address has signed in. */
  rememberDevice(reply: FastifyReply, email: string): void {
    const { masterKeys, clock } = this.#services;
    const mark = issueKnownBrowserMark(masterKeys, deviceSubject(email), clock());
    this.#device.set(reply, mark, KNOWN_BROWSER_LIFETIME_SECONDS);
  }

  /** A key for counting the requests of this browser; null unless the guest has signed in with it before. */
  knownDevice(request: FastifyRequest, email: string): string | null {
    const { masterKeys, clock } = this.#services;
    return findKnownBrowserKey(masterKeys, deviceSubject(email), this.#device.read(request), clock());
  }

  async #closeCurrentSession(request: FastifyRequest): Promise<void> {
    const token = this.#session.read(request);
    if (token !== null) await deleteGuestSessionByToken(this.#services.storage.writer, token);
  }
}
