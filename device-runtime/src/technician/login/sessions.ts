import { createHash, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { after, type Monotonic } from '@lintel/access-core/monotonic';
import type { Technician } from '../../events/technician-record.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';

const LONGEST_MS = 8 * 3_600_000;
export const IDLE_MS = 30 * 60_000;
const MOST_SESSIONS = 32;
const TOKEN_BYTES = 32;

export interface Session {
  readonly technician: Technician;
  readonly by: 'code' | 'pass';
  readonly lasts_ms: number;
}

interface StoredSession extends Session {
  readonly ends: Monotonic;
  readonly idleEnds: Monotonic;
}

const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Who is logged in. Tokens are kept as digests, in memory only: a restart ends them all. */
export class Sessions {
  readonly #clock: Pick<MonotonicClock, 'now'>;
  /** The longest unused first. */
  readonly #sessions = new Map<string, StoredSession>();
  readonly #ended = new EventEmitter().setMaxListeners(0);

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
      this.#end(oldest);
    this.#sessions.set(digestOf(token), session);
    return { token, session };
  }

  #sweep(now: Monotonic): void {
    for (const [digest, { ends, idleEnds }] of this.#sessions) if (now >= ends || now >= idleEnds) this.#end(digest);
  }

  #end(digest: string): void {
    this.#sessions.delete(digest);
    this.#ended.emit(digest);
  }

  /** Finding it is using it. */
  find(token: string): Session | null {
    const now = this.#clock.now();
    const digest = digestOf(token);
    const found = this.#sessions.get(digest);
    if (found === undefined) return null;
    if (now >= found.ends || now >= found.idleEnds) {
      this.#end(digest);
      return null;
    }
    this.#sessions.delete(digest);
    this.#sessions.set(digest, { ...found, idleEnds: after(now, IDLE_MS) });
    return found;
  }

  /** How long it has yet if nobody uses it; 0 when it is over. Looking is not using: an open page is not somebody who works. */
  leftMs(token: string): number {
    const found = this.#sessions.get(digestOf(token));
    return found === undefined ? 0 : Math.max(0, Math.min(found.ends, found.idleEnds) - this.#clock.now());
  }

  /** Tells when it is closed, pushed out, or found to be over. The answer stops the telling. */
  onEnd(token: string, tell: () => void): () => void {
    const digest = digestOf(token);
    this.#ended.on(digest, tell);
    return () => void this.#ended.off(digest, tell);
  }

  close(token: string): void {
    this.#end(digestOf(token));
  }

  get count(): number {
    return this.#sessions.size;
  }
}
