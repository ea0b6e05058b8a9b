import { createHash, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { ActingTechnician } from '../../events/acting-technician.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';

const LONGEST_MS = 8 * 3_600_000;
export const TECHNICIAN_SESSION_IDLE_MS = 30 * 60_000;
/** For the session that claimed the controller, to look at the result. */
const AFTER_CLAIM_MS = 15 * 60_000;
const MOST_SESSIONS = 32;
const TOKEN_BYTES = 32;

export interface TechnicianLoginSession {
  readonly technician: ActingTechnician;
  readonly by: 'code' | 'pass';
  readonly lasts_ms: number;
}

interface StoredSession extends TechnicianLoginSession {
  /** The owner of the controller at the login. */
  readonly owner: string | null;
  readonly ends: MonotonicTime;
  readonly idleEnds: MonotonicTime;
}

const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Identifies who a session is valid for: another owner, device or site ends it. */
export const identifyOwner = (
  owner: Readonly<Record<'organization_id' | 'site_id' | 'device_id', string>> | null,
): string | null => (owner === null ? null : [owner.organization_id, owner.site_id, owner.device_id].join(' '));

/**
 * Sessions of logged-in technicians. Keeps digests of tokens in memory only: a restart ends all sessions. A change of the
 * owner ends them too, except the session that claimed the controller, which gets 15 more minutes.
 */
export class TechnicianSessionRegistry {
  readonly #clock: Pick<MonotonicClock, 'now'>;
  readonly #owner: () => string | null;
  /** Digest of the session that requested the last claim. */
  #claimant: string | null = null;
  /** Least recently used first. */
  readonly #sessions = new Map<string, StoredSession>();
  readonly #ended = new EventEmitter().setMaxListeners(0);

  /** `owner`: see `identifyOwner`. */
  constructor(clock: Pick<MonotonicClock, 'now'>, owner: () => string | null) {
    this.#clock = clock;
    this.#owner = owner;
  }

  /** `most_ms`: the remaining validity of the pass. */
  open(
    by: TechnicianLoginSession['by'],
    technician: ActingTechnician,
    most_ms: number,
  ): { readonly token: string; readonly session: TechnicianLoginSession } {
    const now = this.#clock.now();
    const lasts_ms = Math.min(LONGEST_MS, most_ms);
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const session = {
      technician,
      by,
      lasts_ms,
      owner: this.#owner(),
      ends: addMilliseconds(now, lasts_ms),
      idleEnds: addMilliseconds(now, TECHNICIAN_SESSION_IDLE_MS),
    };
    this.endSessionsOfEarlierOwners();
    this.#sweep(now);
    for (const oldest of [...this.#sessions.keys()].slice(0, Math.max(0, this.#sessions.size + 1 - MOST_SESSIONS)))
      this.#end(oldest);
    this.#sessions.set(digestOf(token), session);
    return { token, session };
  }

  #sweep(now: MonotonicTime): void {
    for (const [digest, { ends, idleEnds }] of this.#sessions) if (now >= ends || now >= idleEnds) this.#end(digest);
  }

  /** Called when a claim was requested, so that its session survives the change of the owner for a while. */
  markClaimant(token: string): void {
    this.#claimant = digestOf(token);
  }

  /** Called after a claim, and checked at each use. */
  endSessionsOfEarlierOwners(): void {
    const owner = this.#owner();
    for (const [digest, session] of this.#sessions) {
      if (session.owner === owner) continue;
      if (digest !== this.#claimant) {
        this.#end(digest);
        continue;
      }
      this.#claimant = null;
      const ends = addMilliseconds(this.#clock.now(), AFTER_CLAIM_MS);
      this.#sessions.set(digest, { ...session, owner, ends: ends < session.ends ? ends : session.ends });
    }
  }

  #end(digest: string): void {
    this.#sessions.delete(digest);
    this.#ended.emit(digest);
  }

  /** Counts as use of the session. */
  find(token: string): TechnicianLoginSession | null {
    const now = this.#clock.now();
    const digest = digestOf(token);
    this.endSessionsOfEarlierOwners();
    const found = this.#sessions.get(digest);
    if (found === undefined) return null;
    if (now >= found.ends || now >= found.idleEnds) {
      this.#end(digest);
      return null;
    }
    this.#sessions.delete(digest);
    this.#sessions.set(digest, { ...found, idleEnds: addMilliseconds(now, TECHNICIAN_SESSION_IDLE_MS) });
    return found;
  }

  /** Remaining time without further use; 0 when it is over. Does not count as use. */
  remainingMs(token: string): number {
    const found = this.#sessions.get(digestOf(token));
    return found === undefined ? 0 : Math.max(0, Math.min(found.ends, found.idleEnds) - this.#clock.now());
  }

  /** Called when the session is closed, evicted or expired. Returns a function that removes the listener. */
  onEnd(token: string, listener: () => void): () => void {
    const digest = digestOf(token);
    this.#ended.on(digest, listener);
    return () => void this.#ended.off(digest, listener);
  }

  close(token: string): void {
    this.#end(digestOf(token));
  }

  get count(): number {
    return this.#sessions.size;
  }
}
