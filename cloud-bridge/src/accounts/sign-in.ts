import type { Kysely } from 'kysely';
import type { Database } from '../storage/schema.ts';
import { LoginThrottle, networkOf } from './login-throttle.ts';
import { passwordMatches } from './passwords.ts';
import { findUserByEmail, normalEmail } from './users.ts';

export type SignIn =
  | { readonly kind: 'welcome'; readonly userId: string }
  | { readonly kind: 'wrong'; readonly userId: string | null }
  | { readonly kind: 'wait'; readonly userId: string | null; readonly seconds: number };

const FREE_TRIES_OF_ACCOUNT = 5;
/** More than of an account: a whole office may stand behind one address. */
const FREE_TRIES_OF_ADDRESS = 20;

/** Checks passwords, a few at a time: too many tries for one account or from one address have to wait. */
export class SignInDesk {
  readonly #accounts = new LoginThrottle(FREE_TRIES_OF_ACCOUNT);
  readonly #addresses = new LoginThrottle(FREE_TRIES_OF_ADDRESS);

  async check(
    db: Kysely<Database>,
    { email, password, ip }: { readonly email: string; readonly password: string; readonly ip: string },
    now: number,
  ): Promise<SignIn> {
    const user = await findUserByEmail(db, email);
    const userId = user?.id ?? null;
    const [account, network] = [normalEmail(email), networkOf(ip)];
    const wait = this.#addresses.admit(network, now) || this.#accounts.admit(account, now);
    if (wait > 0) return { kind: 'wait', userId, seconds: Math.ceil(wait / 1000) };
    const matches = await passwordMatches(user?.password_hash ?? null, password);
    if (!matches || userId === null) return { kind: 'wrong', userId };
    this.#accounts.forgive(account);
    this.#addresses.refund(network);
    return { kind: 'welcome', userId };
  }
}
