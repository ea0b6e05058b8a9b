import { HOUR_MS } from '@lintel/access-core/durations';
import { computeClientNetwork } from '@lintel/service/connections/client-network';
import type { FastifyBaseLogger } from 'fastify';
import { createTooManyAttemptsError } from '../accounts/attempt-throttle.ts';
import {
  createSharedAttemptThrottle,
  createSharedNetworkThrottle,
  type SharedAttemptThrottle,
  type SharedNetworkThrottle,
} from '../accounts/shared-attempt-throttle.ts';
import { SharedQuota } from '../http/shared-quota.ts';
import { normalizeEmail } from '../accounts/users.ts';
import { MAIL_BUDGET_ERROR } from '../mail/mail-budget.ts';
import { createInvalidFieldError } from '../http/api-error.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { GuestLoginCodeMailer, LoginCodeMail } from './login-code-mailer.ts';
import { findMembersByEmail } from './find-guest-members.ts';
import { type AuthenticatedGuestMember, findAccessEndReason } from './guest-sessions.ts';
import { redeemGuestLoginCode, createGuestLoginCode } from './login-codes.ts';

const FREE_CODES_PER_ADDRESS_AND_NETWORK = 5;
/** Higher, because a whole hotel can share one network. */
const FREE_CODES_PER_NETWORK = 30;
/** Against requests from many networks. Higher again, so that a single stranger cannot exhaust it. Then links are sent. */
const FREE_CODES_PER_ADDRESS = 30;
const FREE_CODES_PER_DEVICE = 10;
/** Also the time between two mails with a link, so that the last one always has a valid link. */
const LINK_LIFETIME_MS = HOUR_MS;

const problems = {
  wrong_code: 'is wrong',
  code_expired: 'has expired. Request a new code',
} as const;

/**
 * Signs guests in with codes that it sends by email, and throttles repeated requests for codes. Requests from a browser
 * in which the guest has signed in before count for that browser only. After too many requests for an address the mail has a
 * link that works in every browser, once an hour or after it was used, so that strangers neither lock the guest out nor flood it. Wrong
 * codes count per login (see `redeemGuestLoginCode`), which only the requesting browser knows.
 */
export class GuestEmailCodeLogin {
  readonly #services: BridgeServices;
  readonly #mailer: GuestLoginCodeMailer;
  readonly #log: FastifyBaseLogger;
  readonly #pairs: SharedAttemptThrottle;
  readonly #networks: SharedNetworkThrottle;
  readonly #addresses: SharedAttemptThrottle;
  readonly #devices: SharedAttemptThrottle;
  readonly #links: SharedQuota;

  constructor(services: BridgeServices, mailer: GuestLoginCodeMailer, log: FastifyBaseLogger) {
    this.#services = services;
    this.#mailer = mailer;
    this.#log = log;
    const { storage } = services;
    this.#pairs = createSharedAttemptThrottle(storage, 'guest/pair', FREE_CODES_PER_ADDRESS_AND_NETWORK);
    this.#networks = createSharedNetworkThrottle(storage, 'guest/network', FREE_CODES_PER_NETWORK);
    this.#addresses = createSharedAttemptThrottle(storage, 'guest/address', FREE_CODES_PER_ADDRESS);
    this.#devices = createSharedAttemptThrottle(storage, 'guest/device', FREE_CODES_PER_DEVICE);
    this.#links = new SharedQuota(storage, 'guest/link', { count: 1, periodMs: LINK_LIFETIME_MS });
  }

  /**
   * Returns the same for every address and does not wait for the mail, so that neither reveals which addresses exist. `loginId`
   * is null if a link was sent.
   */
  async sendCode(
    address: string,
    ip: string,
    findKnownDevice: (email: string) => string | null,
  ): Promise<{ readonly loginId: string | null }> {
    const email = normalizeEmail(address);
    const now = this.#services.clock();
    const device = findKnownDevice(email);
    const wait =
      device === null
        ? (await this.#networks.registerAttempt(ip, now)) ||
          (await this.#pairs.registerAttempt(`${computeClientNetwork(ip)} ${email}`, now))
        : await this.#devices.registerAttempt(device, now);
    if (wait > 0) throw createTooManyAttemptsError(wait);
    const addressWait = device === null ? await this.#addresses.registerAttempt(email, now) : 0;
    if (addressWait > 0) {
      if (!this.#mailer.sendsMail) throw createTooManyAttemptsError(addressWait);
      await this.#sendLink(email, now);
      return { loginId: null };
    }
    const { loginId, code } = await createGuestLoginCode(this.#services, email, now);
    await this.#send(email, code, null);
    return { loginId };
  }

  async #sendLink(email: string, now: number): Promise<void> {
    if ((await this.#links.take(email, now)).waitMs > 0) return;
    // The id is in the mail only, so that a stranger cannot use up the attempts of the code.
    const { loginId, code } = await createGuestLoginCode(this.#services, email, now, LINK_LIFETIME_MS);
    await this.#send(email, code, `${this.#services.publicUrl}/guest/login#${loginId}.${code}`);
  }

  /** Returns the address that the code was sent to, and all members with this address. */
  async redeemCode(
    entry: { readonly loginId: string; readonly code: string },
    ip: string,
  ): Promise<{ readonly email: string; readonly members: AuthenticatedGuestMember[] }> {
    const check = await redeemGuestLoginCode(this.#services, entry, this.#services.clock());
    if ('problem' in check) throw createInvalidFieldError('code', problems[check.problem], { reason: check.problem });
    const { email } = check;
    await this.#pairs.reset(`${computeClientNetwork(ip)} ${email}`);
    await this.#links.reset(email);
    const members = await this.#membersOf(email);
    if (members.length === 0) throw createInvalidFieldError('code', problems.code_expired, { reason: 'code_expired' });
    return { email, members };
  }

  async #membersOf(email: string): Promise<AuthenticatedGuestMember[]> {
    const members = await findMembersByEmail(this.#services, email);
    return members.filter(({ member }) => findAccessEndReason(member, this.#services.clock()) === null);
  }

  /** Sends nothing to an address without a member. */
  async #send(to: string, code: string, link: string | null): Promise<void> {
    const [first] = await this.#membersOf(to);
    if (first !== undefined) void this.#sendToMember({ to, code, link }, first);
  }

  async #sendToMember(
    mail: Pick<LoginCodeMail, 'to' | 'code' | 'link'>,
    { member, organizationName }: AuthenticatedGuestMember,
  ): Promise<void> {
    try {
      const { mailBudget } = this.#services;
      if (this.#mailer.sendsMail && (await mailBudget.take('login_code', member.organization_id)) > 0)
        throw new Error(MAIL_BUDGET_ERROR);
      await this.#mailer.send({ ...mail, language: member.language, organizationName });
    } catch (error) {
      this.#log.error({ reason: (error as Error).message, member_id: member.id }, 'Login code could not be sent');
    }
  }
}
