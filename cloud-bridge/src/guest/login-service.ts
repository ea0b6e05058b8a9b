import type { FastifyBaseLogger } from 'fastify';
import { LoginThrottle, networkOf } from '../accounts/login-throttle.ts';
import { normalEmail } from '../accounts/users.ts';
import { ApiError, invalid } from '../http/api-error.ts';
import type { Services } from '../services.ts';
import type { CodeMailer } from './code-mail.ts';
import { membersOfEmail } from './find-memberships.ts';
import { type Membership, pastReason } from './guest-sessions.ts';
import { checkLoginCode, newLoginCode } from './login-codes.ts';

const FREE_CODES_OF_ADDRESS = 5;
/** More than of an address: a whole hotel may stand behind one network. */
const FREE_CODES_OF_NETWORK = 30;
const FREE_ENTRIES_OF_NETWORK = 60;

const problems = {
  wrong_code: 'The code is wrong',
  code_expired: 'The code does not work any more: ask for a new one',
} as const;

/** Sends codes to addresses and takes them back, a few at a time. */
export class LoginService {
  readonly #services: Services;
  readonly #mailer: CodeMailer;
  readonly #log: FastifyBaseLogger;
  readonly #addresses = new LoginThrottle(FREE_CODES_OF_ADDRESS);
  readonly #networks = new LoginThrottle(FREE_CODES_OF_NETWORK);
  readonly #entries = new LoginThrottle(FREE_ENTRIES_OF_NETWORK);

  constructor(services: Services, mailer: CodeMailer, log: FastifyBaseLogger) {
    this.#services = services;
    this.#mailer = mailer;
    this.#log = log;
  }

  /** Answers the same for every address. The mail goes out afterwards: how long it takes says nothing either. */
  async sendCode(given: string, ip: string): Promise<{ readonly loginId: string }> {
    const email = normalEmail(given);
    const now = this.#services.clock();
    const wait = this.#networks.admit(networkOf(ip), now) || this.#addresses.admit(email, now);
    if (wait > 0) throw tooMany(wait);
    const { loginId, code } = await newLoginCode(this.#services, email, now);
    const [first] = await this.#membersOf(email);
    if (first !== undefined) this.#send(email, code, first);
    return { loginId };
  }

  /** Everyone whose address it was. */
  async takeCode(entry: { readonly loginId: string; readonly code: string }, ip: string): Promise<Membership[]> {
    const now = this.#services.clock();
    const network = networkOf(ip);
    const wait = this.#entries.admit(network, now);
    if (wait > 0) throw tooMany(wait);
    const check = await checkLoginCode(this.#services, entry, now);
    if ('problem' in check) throw invalid('code', problems[check.problem], { reason: check.problem });
    this.#entries.refund(network);
    this.#addresses.forgive(check.email);
    const members = await this.#membersOf(check.email);
    if (members.length === 0) throw invalid('code', problems.code_expired, { reason: 'code_expired' });
    return members;
  }

  async #membersOf(email: string): Promise<Membership[]> {
    const members = await membersOfEmail(this.#services, email);
    return members.filter(({ member }) => pastReason(member, this.#services.clock()) === null);
  }

  #send(to: string, code: string, { member, organizationName }: Membership): void {
    this.#mailer({ to, code, language: member.language, organizationName }).catch((error: unknown) =>
      this.#log.error({ reason: (error as Error).message, member_id: member.id }, 'a login code could not be sent'),
    );
  }
}

const tooMany = (waitMs: number): ApiError => {
  const seconds = String(Math.ceil(waitMs / 1000));
  return new ApiError('rate_limited', 'Too many tries', { retry_after: seconds }, { 'retry-after': seconds });
};
