import { randomBytes } from 'node:crypto';
import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { TechnicianRequestError } from '../errors/technician-request-error.ts';
import { computeClientNetwork } from '@lintel/service/connections/client-network';

export const LOGIN_CHALLENGE_LIFETIME_MS = 60_000;
const CHALLENGE_BYTES = 32;
const MOST_PER_CLIENT = 10;
const MOST = 1_000;

interface StoredChallenge {
  readonly client: string;
  readonly expires: MonotonicTime;
  isUsed: boolean;
}

/**
 * Single-use challenges for logins with a pass. A client may have ten that did not lead to a login within their
 * lifetime. Kept in memory only: a restart invalidates all of them.
 */
export class LoginChallenges {
  readonly #clock: Pick<MonotonicClock, 'now'>;
  /** Oldest first. */
  readonly #challenges = new Map<string, StoredChallenge>();

  constructor(clock: Pick<MonotonicClock, 'now'>) {
    this.#clock = clock;
  }

  create(address: string | undefined): string {
    const now = this.#clock.now();
    for (const [challenge, { expires }] of this.#challenges) if (now >= expires) this.#challenges.delete(challenge);
    const client = computeClientNetwork(address);
    const ofClient = [...this.#challenges.values()].filter(one => one.client === client);
    if (ofClient.length >= MOST_PER_CLIENT) {
      const seconds = String(Math.ceil((ofClient[0]!.expires - now) / 1_000));
      const message = `Too many attempts to sign in: try again in ${seconds} s`;
      throw new TechnicianRequestError('rate_limited', message, {}, { 'retry-after': seconds });
    }
    const [oldest] = this.#challenges.keys();
    if (oldest !== undefined && this.#challenges.size >= MOST) this.#challenges.delete(oldest);
    const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
    this.#challenges.set(challenge, {
      client,
      expires: addMilliseconds(now, LOGIN_CHALLENGE_LIFETIME_MS),
      isUsed: false,
    });
    return challenge;
  }

  /** False unless the challenge was issued here, has not expired and was not used before. */
  use(challenge: string): boolean {
    const found = this.#challenges.get(challenge);
    if (found === undefined || found.isUsed || this.#clock.now() >= found.expires) return false;
    found.isUsed = true;
    return true;
  }

  /** After a login: the challenge no longer counts for its client. */
  release(challenge: string): void {
    this.#challenges.delete(challenge);
  }
}
