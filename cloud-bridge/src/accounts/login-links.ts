import { HOUR_MS } from '@lintel/access-core/durations';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { BridgeCookie } from '../http/bridge-cookie.ts';
import { findKnownBrowserKey, issueKnownBrowserMark } from './known-browser-mark.ts';
import { useOnce } from './passkey-challenge.ts';
import { createSharedAttemptThrottle, type SharedAttemptThrottle } from './shared-attempt-throttle.ts';

export const LOGIN_LINK_PATH = '/login/link';

/** Also the time between two mails, so that the last mail always has a valid link. */
const LIFETIME_MS = HOUR_MS;

/** Differs from every user id. */
const subjectOf = (userId: string): string => `login link ${userId}`;

/**
 * Mailed links with which a user signs in while strangers use up the attempts of the account. A link proves only that the
 * browser has read the mail: the password is still required.
 */
export class LoginLinks {
  readonly #services: BridgeServices;
  readonly #mails: SharedAttemptThrottle;
  readonly #cookie: BridgeCookie;

  constructor(services: BridgeServices) {
    this.#services = services;
    this.#mails = createSharedAttemptThrottle(services.storage, 'login/link', 1, LIFETIME_MS);
    this.#cookie = new BridgeCookie(services, 'lintel_login_link', '/login');
  }

  /** Sends at most one mail in an hour. Does the same work without an account (`null`). */
  async offer(email: string, user: { readonly id: string; readonly email: string } | null): Promise<void> {
    const { clock, masterKeys, publicUrl, accountMailer } = this.#services;
    const now = clock();
    if ((await this.#mails.registerAttempt(email, now)) > 0) return;
    const mark = issueKnownBrowserMark(masterKeys, subjectOf(user?.id ?? ''), now, LIFETIME_MS);
    if (user === null) return;
    accountMailer.sendLoginLink({ to: user.email, url: `${publicUrl}${LOGIN_LINK_PATH}/${mark}`, userId: user.id });
  }

  /** Keeps the link in the browser until the user has typed the password. */
  accept(reply: FastifyReply, mark: string): void {
    this.#cookie.set(reply, mark, LIFETIME_MS / 1000);
  }

  /** A key for counting the attempts with this link; null without a valid link for the user. */
  findKey(request: FastifyRequest, userId: string): string | null {
    const { masterKeys, clock } = this.#services;
    return findKnownBrowserKey(masterKeys, subjectOf(userId), this.#cookie.read(request), clock());
  }

  /** False if the link was used before. */
  async redeem(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const { storage, clock } = this.#services;
    const [, expiresAt = '', nonce = ''] = this.#cookie.read(request)?.split('.') ?? [];
    this.#cookie.clear(reply);
    return useOnce(storage.writer, nonce, Number(expiresAt), clock());
  }
}
