import { computeClientNetwork } from '@lintel/service/connections/client-network';
import type { Kysely } from 'kysely';
import type { Database } from '../storage/schema.ts';
import type { Storage } from '../storage/open-storage.ts';
import {
  createSharedAttemptThrottle,
  createSharedNetworkThrottle,
  type SharedAttemptThrottle,
  type SharedNetworkThrottle,
} from './shared-attempt-throttle.ts';
import { verifyPassword } from './passwords.ts';
import type { UserRow } from '../storage/user-schema.ts';
import { findUserByEmail, normalizeEmail } from './users.ts';

export type PasswordCheckResult =
  | { readonly kind: 'accepted'; readonly userId: string }
  | { readonly kind: 'rejected'; readonly userId: string | null }
  | { readonly kind: 'throttled'; readonly userId: string | null; readonly seconds: number }
  /** Strangers may have used up the attempts of the account, so its user needs another way to sign in. */
  | { readonly kind: 'locked'; readonly user: UserRow | null; readonly seconds: number };

export interface PasswordLoginAttempt {
  readonly email: string;
  readonly password: string;
  readonly ip: string;
  /** Returns the key of the browser if the user has signed in with it before; otherwise null. */
  readonly findKnownDevice: (userId: string) => string | null;
}

const FREE_ATTEMPTS_PER_ACCOUNT_AND_NETWORK = 5;
/** Higher than per account, because a whole office can share one address. */
const FREE_ATTEMPTS_PER_NETWORK = 20;
/** Against attempts from many networks. Higher again, so that a single stranger cannot exhaust it. */
const FREE_ATTEMPTS_PER_ACCOUNT = 30;
const FREE_ATTEMPTS_PER_DEVICE = 10;

/**
 * Checks passwords and throttles repeated attempts. Attempts in a browser that the user has used before count for that
 * browser only, so that attempts of strangers do not lock the user out. So do attempts with a mailed link.
 */
export class PasswordAuthenticator {
  readonly #pairs: SharedAttemptThrottle;
  readonly #networks: SharedNetworkThrottle;
  readonly #accounts: SharedAttemptThrottle;
  readonly #devices: SharedAttemptThrottle;

  constructor(storage: Storage) {
    this.#pairs = createSharedAttemptThrottle(storage, 'login/pair', FREE_ATTEMPTS_PER_ACCOUNT_AND_NETWORK);
    this.#networks = createSharedNetworkThrottle(storage, 'login/network', FREE_ATTEMPTS_PER_NETWORK);
    this.#accounts = createSharedAttemptThrottle(storage, 'login/account', FREE_ATTEMPTS_PER_ACCOUNT);
    this.#devices = createSharedAttemptThrottle(storage, 'login/device', FREE_ATTEMPTS_PER_DEVICE);
  }

  async authenticate(
    db: Kysely<Database>,
    { email, password, ip, findKnownDevice }: PasswordLoginAttempt,
    now: number,
  ): Promise<PasswordCheckResult> {
    const user = await findUserByEmail(db, email);
    const userId = user?.id ?? null;
    const device = userId === null ? null : findKnownDevice(userId);
    const account = normalizeEmail(email);
    const pair = `${computeClientNetwork(ip)} ${account}`;
    const waitMs =
      device === null
        ? (await this.#networks.registerAttempt(ip, now)) || (await this.#pairs.registerAttempt(pair, now))
        : await this.#devices.registerAttempt(device, now);
    if (waitMs > 0) return { kind: 'throttled', userId, seconds: Math.ceil(waitMs / 1000) };
    const isVerified = user !== undefined && user.verified_at !== null;
    const lockedMs = device === null ? await this.#accounts.registerAttempt(account, now) : 0;
    if (lockedMs > 0) return { kind: 'locked', user: isVerified ? user : null, seconds: Math.ceil(lockedMs / 1000) };
    const matches = await verifyPassword(isVerified ? user.password_hash : null, password);
    if (!matches || userId === null) return { kind: 'rejected', userId };
    if (device === null) {
      await this.#networks.undoLastAttempt(ip);
      await this.#pairs.reset(pair);
      await this.#accounts.undoLastAttempt(account);
    } else await this.#devices.reset(device);
    return { kind: 'accepted', userId };
  }
}
