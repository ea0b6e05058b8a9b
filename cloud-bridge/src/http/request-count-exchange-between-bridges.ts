import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Storage } from '../storage/open-storage.ts';
import type { RateLimiter } from './rate-limit.ts';

/** A client that uses less between two exchanges is far from any limit. */
const MIN_REQUESTS = 10;
/** After this time, the requests at other bridges no longer concern the limit. */
const FORGET_MS = 5000;

/** The keys are access tokens, which the database must not contain. */
const hashKey = (key: string): string => createHash('sha256').update(key).digest('base64url');

interface KnownTotal {
  readonly total: number;
  readonly at: number;
}

/**
 * Tells the rate limiter of this bridge how much busy clients use at other bridges. Each bridge adds its requests to a
 * total in the database and subtracts what the others added since the last exchange.
 */
export class RequestCountExchange {
  readonly #storage: Storage;
  readonly #limiter: RateLimiter;
  readonly #clock: () => number;
  readonly #known = new Map<string, KnownTotal>();

  constructor(storage: Storage, limiter: RateLimiter, clock: () => number) {
    this.#storage = storage;
    this.#limiter = limiter;
    this.#clock = clock;
  }

  async exchange(): Promise<void> {
    const own = new Map(
      [...this.#limiter.takeCounts(MIN_REQUESTS)].map(([key, count]) => [hashKey(key), { key, count }] as const),
    );
    const now = this.#clock();
    for (const [key, { at }] of this.#known) if (at < now - FORGET_MS) this.#known.delete(key);
    if (own.size === 0) return;
    await this.#storage.writer
      .deleteFrom('request_counts')
      .where('changed_at', '<', now - FORGET_MS)
      .execute();
    // In the same order at every bridge, so that their statements do not block each other.
    const counts = JSON.stringify(
      [...own.keys()].toSorted((a, b) => (a < b ? -1 : 1)).map(hash => [hash, own.get(hash)!.count]),
    );
    const { rows } = await sql<{ key: string; total: number }>`
      insert into request_counts (key, total, changed_at)
      select counts ->> 0, (counts ->> 1)::bigint, ${now}::bigint from jsonb_array_elements(${counts}::jsonb) as counts
      on conflict (key) do update set total = request_counts.total + excluded.total, changed_at = excluded.changed_at
      returning key, total`.execute(this.#storage.writer);
    for (const { key: hash, total } of rows) {
      const { key, count } = own.get(hash)!;
      const known = this.#known.get(hash);
      this.#known.set(hash, { total, at: now });
      // A smaller total was deleted in the meantime and started again.
      const others = known === undefined ? 0 : total - known.total - count;
      if (others > 0) this.#limiter.charge(key, others);
    }
  }
}
