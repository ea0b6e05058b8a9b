import type { Kysely } from 'kysely';
import { hashToken, newToken } from '../secrets/token-hash.ts';
import type { Database, UserRow } from '../storage/schema.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const IDLE_MS = 12 * HOUR;
const LONGEST_MS = 7 * 24 * HOUR;
/** How far `seen_at` may lag behind, so that not every page is a write. */
const SEEN_LAG_MS = 5 * MINUTE;

export const SESSION_SECONDS = LONGEST_MS / 1000;

type SessionUser = Pick<UserRow, 'id' | 'email' | 'name'>;

/** A person who is signed in, in one browser. */
export interface Session {
  readonly token: string;
  readonly user: SessionUser;
}

/** Always under a new token, so that one planted beforehand is worth nothing. */
export const openSession = async (db: Kysely<Database>, userId: string, now: number): Promise<string> => {
  const token = newToken('lst_');
  const row = { hash: hashToken(token), user_id: userId, created_at: now, seen_at: now, expires_at: now + LONGEST_MS };
  await db.insertInto('sessions').values(row).execute();
  return token;
};

export const closeSession = async (db: Kysely<Database>, token: string): Promise<void> => {
  await db.deleteFrom('sessions').where('hash', '=', hashToken(token)).execute();
};

export const findSession = async (db: Kysely<Database>, token: string, now: number): Promise<Session | null> => {
  const hash = hashToken(token);
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.email', 'users.name', 'sessions.seen_at', 'sessions.expires_at'])
    .where('sessions.hash', '=', hash)
    .where('users.is_deleted', '=', 0)
    .executeTakeFirst();
  if (row === undefined || row.expires_at <= now || row.seen_at + IDLE_MS <= now) return null;
  if (row.seen_at + SEEN_LAG_MS <= now) {
    await db.updateTable('sessions').set({ seen_at: now }).where('hash', '=', hash).execute();
  }
  return { token, user: { id: row.id, email: row.email, name: row.name } };
};
