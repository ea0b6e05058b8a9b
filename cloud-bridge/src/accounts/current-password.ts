import type { BridgeServices } from '../bridge-services-interface.ts';
import { verifyPassword } from './passwords.ts';
import { createSharedAttemptThrottle, type SharedAttemptThrottle } from './shared-attempt-throttle.ts';

const FREE_CHECKS = 5;

type CurrentPasswordResult =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'throttled'; readonly waitMs: number };

/** Checks the password of a user who is signed in. Whoever holds a stolen session gets few guesses. */
export class CurrentPassword {
  readonly #services: Pick<BridgeServices, 'storage' | 'clock'>;
  readonly #attempts: SharedAttemptThrottle;

  constructor(services: Pick<BridgeServices, 'storage' | 'clock'>) {
    this.#services = services;
    this.#attempts = createSharedAttemptThrottle(services.storage, 'account/password', FREE_CHECKS);
  }

  async check(userId: string, password: string): Promise<CurrentPasswordResult> {
    const { storage, clock } = this.#services;
    const waitMs = await this.#attempts.registerAttempt(userId, clock());
    if (waitMs > 0) return { kind: 'throttled', waitMs };
    const { password_hash } = await storage.writer
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    if (!(await verifyPassword(password_hash, password))) return { kind: 'rejected' };
    await this.#attempts.reset(userId);
    return { kind: 'accepted' };
  }
}
