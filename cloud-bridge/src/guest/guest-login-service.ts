import type { FastifyBaseLogger } from 'fastify';
import { AttemptThrottle, networkPrefixOf } from '../accounts/attempt-throttle.ts';
import { normalizeEmail } from '../accounts/users.ts';
import { ApiError, invalidFieldError } from '../http/api-error.ts';
import type { BridgeServices } from '../services.ts';
import type { LoginCodeMailer } from './login-code-mailer.ts';
import { findMembersByEmail } from './find-members.ts';
import { type AuthenticatedMember, accessEndReason } from './guest-sessions.ts';
import { redeemLoginCode, createLoginCode } from './login-codes.ts';

const FREE_CODES_PER_ADDRESS = 5;
/** Higher than per address, because a whole hotel can share one network. */
const FREE_CODES_PER_NETWORK = 30;
const FREE_ENTRIES_PER_NETWORK = 60;

const problems = {
  wrong_code: 'The code is wrong',
  code_expired: 'The code has expired. Request a new one',
} as const;

/** Signs guests in with codes that it sends by email, and throttles repeated attempts. */
export class GuestLoginService {
  readonly #services: BridgeServices;
  readonly #mailer: LoginCodeMailer;
  readonly #log: FastifyBaseLogger;
  readonly #addresses = new AttemptThrottle(FREE_CODES_PER_ADDRESS);
  readonly #networks = new AttemptThrottle(FREE_CODES_PER_NETWORK);
  readonly #entries = new AttemptThrottle(FREE_ENTRIES_PER_NETWORK);

  constructor(services: BridgeServices, mailer: LoginCodeMailer, log: FastifyBaseLogger) {
    this.#services = services;
    this.#mailer = mailer;
    this.#log = log;
  }

  /** Returns the same for every address and does not wait for the mail, so that neither reveals which addresses exist. */
  async sendCode(address: string, ip: string): Promise<{ readonly loginId: string }> {
    const email = normalizeEmail(address);
    const now = this.#services.clock();
    const wait =
      this.#networks.registerAttempt(networkPrefixOf(ip), now) || this.#addresses.registerAttempt(email, now);
    if (wait > 0) throw tooManyAttemptsError(wait);
    const { loginId, code } = await createLoginCode(this.#services, email, now);
    const [first] = await this.#membersOf(email);
    if (first !== undefined) this.#send(email, code, first);
    return { loginId };
  }

  /** Returns all members with the address that the code was sent to. */
  async redeemCode(
    entry: { readonly loginId: string; readonly code: string },
    ip: string,
  ): Promise<AuthenticatedMember[]> {
    const now = this.#services.clock();
    const network = networkPrefixOf(ip);
    const wait = this.#entries.registerAttempt(network, now);
    if (wait > 0) throw tooManyAttemptsError(wait);
    const check = await redeemLoginCode(this.#services, entry, now);
    if ('problem' in check) throw invalidFieldError('code', problems[check.problem], { reason: check.problem });
    this.#entries.undoLastAttempt(network);
    this.#addresses.reset(check.email);
    const members = await this.#membersOf(check.email);
    if (members.length === 0) throw invalidFieldError('code', problems.code_expired, { reason: 'code_expired' });
    return members;
  }

  async #membersOf(email: string): Promise<AuthenticatedMember[]> {
    const members = await findMembersByEmail(this.#services, email);
    return members.filter(({ member }) => accessEndReason(member, this.#services.clock()) === null);
  }

  #send(to: string, code: string, { member, organizationName }: AuthenticatedMember): void {
    this.#mailer({ to, code, language: member.language, organizationName }).catch((error: unknown) =>
      this.#log.error({ reason: (error as Error).message, member_id: member.id }, 'Login code could not be sent'),
    );
  }
}

const tooManyAttemptsError = (waitMs: number): ApiError => {
  const seconds = String(Math.ceil(waitMs / 1000));
  return new ApiError('rate_limited', 'Too many attempts', { retry_after: seconds }, { 'retry-after': seconds });
};
