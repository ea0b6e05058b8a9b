import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { ApiError } from './api-error.ts';
import type { Storage } from '../storage/open-storage.ts';

/** `args.quota` of the error, so that a user interface can say what to do. */
export type QuotaName = 'mails' | 'test_messages' | 'alert_addresses' | 'organizations' | 'invitations';

export interface QuotaUse {
  /** 0 if the use is permitted and counted, otherwise the time until the next period. */
  readonly waitMs: number;
  /** Uses in this period. */
  readonly count: number;
}

const LONGEST_PERIOD_MS = 86_400_000;

/** Counts uses per key in a period, which begins with the first use, of all bridges together. A restart does not clear it. */
export class SharedQuota {
  readonly #storage: Storage;
  readonly #name: string;
  readonly #limit: number;
  readonly #periodMs: number;

  /** `name` separates quotas with equal keys. */
  constructor(storage: Storage, name: string, limit: { readonly count: number; readonly periodMs: number }) {
    this.#storage = storage;
    this.#name = name;
    this.#limit = limit.count;
    this.#periodMs = limit.periodMs;
  }

  async take(key: string, now: number): Promise<QuotaUse> {
    const { writer } = this.#storage;
    const hashed = createHash('sha256').update(`${this.#name} ${key}`).digest('base64url');
    // A period in the future began before the clock was set back.
    const isOver = sql`(quota_counts.started_at <= ${now - this.#periodMs} or quota_counts.started_at > ${now})`;
    const { rows } = await sql<{ count: number }>`
      insert into quota_counts (key, started_at, count) values (${hashed}, ${now}, 1)
      on conflict (key) do update set
        count = case when ${isOver} then 1 else quota_counts.count + 1 end,
        started_at = case when ${isOver} then excluded.started_at else quota_counts.started_at end
      where ${isOver} or quota_counts.count < ${this.#limit}
      returning count`.execute(writer);
    if (rows[0] !== undefined) return { waitMs: 0, count: rows[0].count };
    const row = await writer
      .selectFrom('quota_counts')
      .select('started_at')
      .where('key', '=', hashed)
      .executeTakeFirst();
    return { waitMs: Math.max(1, (row?.started_at ?? now) + this.#periodMs - now), count: this.#limit };
  }
}

export const createQuotaError = (quota: QuotaName, message: string, waitMs: number): ApiError => {
  const seconds = String(Math.ceil(waitMs / 1000));
  return new ApiError('rate_limited', message, { quota, retry_after: seconds }, { 'retry-after': seconds });
};

export const deleteExpiredQuotaCounts = async ({ writer }: Storage, now: number): Promise<void> => {
  await writer
    .deleteFrom('quota_counts')
    .where('started_at', '<=', now - LONGEST_PERIOD_MS)
    .execute();
};
