import type { Kysely } from 'kysely';
import type { Database } from '../storage/schema.ts';
import { AttemptThrottle, networkPrefixOf } from './attempt-throttle.ts';
import { verifyPassword } from './passwords.ts';
import { findUserByEmail, normalizeEmail } from './users.ts';

export type PasswordCheckResult =
  | { readonly kind: 'accepted'; readonly userId: string }
  | { readonly kind: 'rejected'; readonly userId: string | null }
  | { readonly kind: 'throttled'; readonly userId: string | null; readonly seconds: number };

const FREE_ATTEMPTS_PER_ACCOUNT = 5;
/** Higher than per account, because a whole office can share one address. */
const FREE_ATTEMPTS_PER_NETWORK = 20;

/** Checks passwords and throttles repeated attempts for one account or from one network. */
export class PasswordAuthenticator {
  readonly #accounts = new AttemptThrottle(FREE_ATTEMPTS_PER_ACCOUNT);
  readonly #networks = new AttemptThrottle(FREE_ATTEMPTS_PER_NETWORK);

  async authenticate(
    db: Kysely<Database>,
    { email, password, ip }: { readonly email: string; readonly password: string; readonly ip: string },
    now: number,
  ): Promise<PasswordCheckResult> {
    const user = await findUserByEmail(db, email);
    const userId = user?.id ?? null;
    const [account, network] = [normalizeEmail(email), networkPrefixOf(ip)];
    const waitMs = this.#networks.registerAttempt(network, now) || this.#accounts.registerAttempt(account, now);
    if (waitMs > 0) return { kind: 'throttled', userId, seconds: Math.ceil(waitMs / 1000) };
    const matches = await verifyPassword(user?.password_hash ?? null, password);
    if (!matches || userId === null) return { kind: 'rejected', userId };
    this.#accounts.reset(account);
    this.#networks.undoLastAttempt(network);
    return { kind: 'accepted', userId };
  }
}
