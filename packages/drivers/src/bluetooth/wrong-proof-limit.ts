import {
  countWrongPinEntry,
  defaultLockoutTimes,
  initialLockoutState,
  type LockoutState,
  computeRemainingLockoutMs,
} from '@lintel/access-core/lockout';
import type { MonotonicTime } from '@lintel/access-core/monotonic-time';

const MOST_PHONES = 256;

/**
 * Locks a phone out after repeated wrong proofs, as a keypad after wrong PINs. A limit for all phones together would let
 * an attacker lock out everyone.
 */
export class WrongProofLimit {
  readonly #lockouts = new Map<string, LockoutState>();

  isLocked(phone: string, now: MonotonicTime): boolean {
    return computeRemainingLockoutMs(this.#lockouts.get(phone) ?? initialLockoutState, now) > 0;
  }

  count(phone: string, now: MonotonicTime): void {
    const { lockout } = countWrongPinEntry(defaultLockoutTimes, this.#lockouts.get(phone) ?? initialLockoutState, now);
    this.#lockouts.delete(phone);
    this.#lockouts.set(phone, lockout);
    const [oldest] = this.#lockouts.keys();
    if (this.#lockouts.size > MOST_PHONES) this.#lockouts.delete(oldest!);
  }
}
