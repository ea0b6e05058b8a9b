import { createHash } from 'node:crypto';
import {
  CLIENT_NETWORK_LEVELS,
  computeNetworkShare,
  listClientNetworks,
} from '@lintel/service/connections/client-network';
import type { Kysely, Transaction } from 'kysely';
import type { Storage } from '../storage/open-storage.ts';
import type { Database } from '../storage/schema.ts';
import {
  type AttemptLimit,
  type AttemptThrottleState,
  InMemoryAttemptThrottle,
  computeAttemptExpiryCutoff,
  addAttempt,
  removeLastAttempt,
} from './attempt-throttle.ts';

/** Counts attempts of all bridges together. See `InMemoryAttemptThrottle` for the rules. */
export interface SharedAttemptThrottle {
  registerAttempt(key: string, now: number): Promise<number>;
  reset(key: string): Promise<void>;
  undoLastAttempt(key: string): Promise<void>;
}

/** Keys contain email addresses and networks, which the table does not need. */
const hashKey = (name: string, key: string): string =>
  createHash('sha256').update(`${name} ${key}`).digest('base64url');

/** Attempts in the database. The row is locked, so that concurrent attempts at two bridges are not both free. */
class PostgresAttemptThrottle implements SharedAttemptThrottle {
  readonly #db: Kysely<Database>;
  readonly #name: string;
  readonly #limit: AttemptLimit;

  constructor(db: Kysely<Database>, name: string, limit: AttemptLimit) {
    this.#db = db;
    this.#name = name;
    this.#limit = limit;
  }

  registerAttempt(key: string, now: number): Promise<number> {
    return this.#db.transaction().execute(async trx => {
      const hashed = hashKey(this.#name, key);
      await trx
        .insertInto('attempts')
        .values({ key: hashed, count: 0, last_at: now, blocked_until: 0 })
        .onConflict(conflict => conflict.doNothing())
        .execute();
      const { attempts, waitMs } = addAttempt(await this.#lock(trx, hashed), this.#limit, now);
      await this.#save(trx, hashed, attempts);
      return waitMs;
    });
  }

  async reset(key: string): Promise<void> {
    await this.#db.deleteFrom('attempts').where('key', '=', hashKey(this.#name, key)).execute();
  }

  undoLastAttempt(key: string): Promise<void> {
    return this.#db.transaction().execute(async trx => {
      const hashed = hashKey(this.#name, key);
      const attempts = await this.#lock(trx, hashed);
      if (attempts !== null) await this.#save(trx, hashed, removeLastAttempt(attempts, this.#limit.free));
    });
  }

  async #lock(trx: Transaction<Database>, key: string): Promise<AttemptThrottleState | null> {
    const row = await trx.selectFrom('attempts').selectAll().where('key', '=', key).forUpdate().executeTakeFirst();
    return row === undefined ? null : { count: row.count, lastAt: row.last_at, blockedUntil: row.blocked_until };
  }

  async #save(
    trx: Transaction<Database>,
    key: string,
    { count, lastAt, blockedUntil }: AttemptThrottleState,
  ): Promise<void> {
    await trx
      .updateTable('attempts')
      .set({ count, last_at: lastAt, blocked_until: blockedUntil })
      .where('key', '=', key)
      .execute();
  }
}

/** The attempts of a single bridge stay in its memory. */
const memoryThrottle = (limit: AttemptLimit): SharedAttemptThrottle => {
  const throttle = new InMemoryAttemptThrottle(limit);
  return {
    registerAttempt: async (key, now) => throttle.registerAttempt(key, now),
    reset: async key => throttle.reset(key),
    undoLastAttempt: async key => throttle.undoLastAttempt(key),
  };
};

/** `name` separates throttles with equal keys. */
export const createSharedAttemptThrottle = (
  storage: Storage,
  name: string,
  free: number,
  firstDelayMs?: number,
): SharedAttemptThrottle => {
  const limit = firstDelayMs === undefined ? { free } : { free, firstDelayMs };
  return storage.engine === 'postgres'
    ? new PostgresAttemptThrottle(storage.writer, name, limit)
    : memoryThrottle(limit);
};

/** As `SharedAttemptThrottle`, by the address of the client. */
export type SharedNetworkThrottle = Omit<SharedAttemptThrottle, 'reset'>;

/** Counts attempts by the network of the client, with IPv6 also by the larger networks that one attacker can have. */
export const createSharedNetworkThrottle = (storage: Storage, name: string, free: number): SharedNetworkThrottle => {
  const throttles = Array.from({ length: CLIENT_NETWORK_LEVELS }, (_, level) =>
    createSharedAttemptThrottle(storage, level === 0 ? name : `${name}/${level}`, free * computeNetworkShare(level)),
  );
  return {
    registerAttempt: async (address, now) => {
      for (const [level, network] of listClientNetworks(address).entries()) {
        const waitMs = await throttles[level]!.registerAttempt(network, now);
        if (waitMs > 0) return waitMs;
      }
      return 0;
    },
    undoLastAttempt: async address => {
      for (const [level, network] of listClientNetworks(address).entries())
        await throttles[level]!.undoLastAttempt(network);
    },
  };
};

export const deleteExpiredAttempts = async ({ writer }: Storage, now: number): Promise<void> => {
  const before = computeAttemptExpiryCutoff(now);
  await writer.deleteFrom('attempts').where('last_at', '<=', before).where('blocked_until', '<=', before).execute();
};
