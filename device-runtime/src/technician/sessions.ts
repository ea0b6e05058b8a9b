import { createHash, randomBytes } from 'node:crypto';
import { after, type Monotonic } from '@lintel/access-core/monotonic';
import type { Technician } from '../app/technician-record.ts';
import type { MonotonicClock } from '../ports/monotonic-clock.ts';

const LONGEST_MS = 8 * 3_600_000;
export const IDLE_MS = 30 * 60_000;
const MOST_SESSIONS = 32;
const TOKEN_BYTES = 32;

export interface Session {
  readonly technician: Technician;
  readonly by: 'code' | 'pass';
  readonly lasts_ms: number;
}

interface KeptSession extends Session {
  readonly ends: Monotonic;
  readonly idleEnds: Monotonic;
}

const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Who is logged in. Tokens are kept as digests, in memory only: a restart ends them all. */
export class Sessions {
  readonly #clock: Pick<MonotonicClock, 'now'>;
  /** The longest unused first. */
  readonly #sessions = new Map<string, KeptSession>();

  constructor(clock: Pick<MonotonicClock, 'now'>) {
    this.#clock = clock;
  }

  /** `most_ms`: no longer than the right it stands on. */
  open(
    by: Session['by'],
    technician: Technician,
    most_ms: number,
  ): { readonly token: string; readonly session: Session } {
    const now = this.#clock.now();
    const lasts_ms = Math.min(LONGEST_MS, most_ms);
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const session = { technician, by, lasts_ms, ends: after(now, lasts_ms), idleEnds: after(now, IDLE_MS) };
    this.#sweep(now);
    for (const oldest of [...this.#sessions.keys()].slice(0, Math.max(0, this.#sessions.size + 1 - MOST_SESSIONS)))
      this.#sessions.delete(oldest);
    this.#sessions.set(digestOf(token), session);
    return { token, session };
  }

  #sweep(now: Monotonic): void {
    for (const [digest, { ends, idleEnds }] of this.#sessions)
      if (now >= ends || now >= idleEnds) this.#sessions.delete(digest);
  }

  /** Finding it is using it. */
  find(token: string): Session | null {
    const now = this.#clock.now();
    const digest = digestOf(token);
    const found = this.#sessions.get(digest);
    this.#sessions.delete(digest);
    if (found === undefined || now >= found.ends || now >= found.idleEnds) return null;
    this.#sessions.set(digest, { ...found, idleEnds: after(now, IDLE_MS) });
    return found;
  }

  /** Without using it: an open page is not somebody who works. */
  isOpen(token: string): boolean {
    const now = this.#clock.now();
    const found = this.#sessions.get(digestOf(token));
    return found !== undefined && now < found.ends && now < found.idleEnds;
  }

  close(token: string): void {
    this.#sessions.delete(digestOf(token));
  }

  get count(): number {
    return this.#sessions.size;
  }
}
