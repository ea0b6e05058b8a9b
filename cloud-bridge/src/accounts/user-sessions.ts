import type { Kysely } from 'kysely';
import { hashToken, newToken } from '../secrets/tokens.ts';
import type { Database, UserRow } from '../storage/schema.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const IDLE_TIMEOUT_MS = 12 * HOUR;
const MAX_AGE_MS = 7 * 24 * HOUR;
/** `seen_at` is updated at most this often, so that not every request writes to the database. */
const SEEN_UPDATE_MS = 5 * MINUTE;

export const USER_SESSION_SECONDS = MAX_AGE_MS / 1000;

type SessionUser = Pick<UserRow, 'id' | 'email' | 'name'>;

/** A signed-in user in one browser. */
export interface UserSession {
  readonly token: string;
  readonly user: SessionUser;
}

/** Always creates a new token, which prevents session fixation. */
export const openUserSession = async (db: Kysely<Database>, userId: string, now: number): Promise<string> => {
  const token = newToken('lst_');
  const row = { hash: hashToken(token), user_id: userId, created_at: now, seen_at: now, expires_at: now + MAX_AGE_MS };
  await db.insertInto('sessions').values(row).execute();
  return token;
};

export const closeUserSession = async (db: Kysely<Database>, token: string): Promise<void> => {
  await db.deleteFrom('sessions').where('hash', '=', hashToken(token)).execute();
};

export const findUserSession = async (
  db: Kysely<Database>,
  token: string,
  now: number,
): Promise<UserSession | null> => {
  const hash = hashToken(token);
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.email', 'users.name', 'sessions.seen_at', 'sessions.expires_at'])
    .where('sessions.hash', '=', hash)
    .where('users.is_deleted', '=', 0)
    .executeTakeFirst();
  if (row === undefined || row.expires_at <= now || row.seen_at + IDLE_TIMEOUT_MS <= now) return null;
  if (row.seen_at + SEEN_UPDATE_MS <= now) {
    await db.updateTable('sessions').set({ seen_at: now }).where('hash', '=', hash).execute();
  }
  return { token, user: { id: row.id, email: row.email, name: row.name } };
};
