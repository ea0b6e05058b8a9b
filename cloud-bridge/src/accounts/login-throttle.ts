import { longestWait } from '@lintel/service/timing/backoff';

const SECOND = 1000;
const FIRST_DELAY_MS = 5 * SECOND;
const LONGEST_DELAY_MS = 15 * 60 * SECOND;
const MOST_KEYS = 20_000;

interface Tries {
  count: number;
  lastAt: number;
  blockedUntil: number;
}

/**
 * Counts tries under one name: the first are free, each further one costs twice the wait of the last. A try is counted
 * when it begins, so that a hundred at once are not a hundred free ones. Kept in memory: a restart forgives, and each
 * bridge counts for itself.
 */
export class LoginThrottle {
  readonly #free: number;
  readonly #tries = new Map<string, Tries>();

  constructor(free: number) {
    this.#free = free;
  }

  /** Milliseconds to wait before the next try; 0 admits this one. */
  admit(key: string, now: number): number {
    const tries = this.#current(key, now);
    // A clock that was set back must not lengthen a wait.
    const wait = Math.min(tries.blockedUntil - now, LONGEST_DELAY_MS);
    if (wait > 0) return wait;
    tries.count += 1;
    tries.lastAt = now;
    const beyond = tries.count - this.#free;
    if (beyond >= 0)
      tries.blockedUntil = now + longestWait({ firstMs: FIRST_DELAY_MS, longestMs: LONGEST_DELAY_MS }, beyond);
    return 0;
  }

  /** Nothing that was tried under this name counts any more. */
  forgive(key: string): void {
    this.#tries.delete(key);
  }

  /** The last try was right: it does not count, those before it do. */
  refund(key: string): void {
    const tries = this.#tries.get(key);
    if (tries === undefined) return;
    tries.count = Math.max(tries.count - 1, 0);
    if (tries.count < this.#free) tries.blockedUntil = 0;
  }

  #current(key: string, now: number): Tries {
    const known = this.#tries.get(key);
    if (known !== undefined && !isOver(known, now)) return known;
    this.#tries.delete(key);
    if (this.#tries.size >= MOST_KEYS) this.#makeRoom(now);
    const fresh = { count: 0, lastAt: now, blockedUntil: 0 };
    this.#tries.set(key, fresh);
    return fresh;
  }

  #makeRoom(now: number): void {
    for (const [key, tries] of this.#tries) if (isOver(tries, now)) this.#tries.delete(key);
    for (const key of this.#tries.keys()) {
      if (this.#tries.size < MOST_KEYS) break;
      this.#tries.delete(key);
    }
  }
}

const isOver = ({ lastAt, blockedUntil }: Tries, now: number): boolean =>
  Math.max(lastAt, blockedUntil) + LONGEST_DELAY_MS <= now;

/** One name per network: whoever has an IPv6 address has 2^64 of them. */
export const networkOf = (ip: string): string => {
  if (!ip.includes(':')) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1] !== undefined) return mapped[1];
  const [head = '', tail] = ip.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length;
  return [...groups, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...rest].slice(0, 4).join(':');
};
