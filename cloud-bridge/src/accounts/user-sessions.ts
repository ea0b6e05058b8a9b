import { HOUR_MS, MINUTE_MS } from '@lintel/access-core/durations';
import type { Kysely } from 'kysely';
import { hashToken, createSecretToken } from '../secrets/create-and-hash-token.ts';
import type { Database } from '../storage/schema.ts';
import type { UserSessionRow, UserRow } from '../storage/user-schema.ts';

const IDLE_TIMEOUT_MS = 12 * HOUR_MS;
const MAX_AGE_MS = 7 * 24 * HOUR_MS;
/** `seen_at` is updated at most this often, so that not every request writes to the database. */
const SEEN_UPDATE_MS = 5 * MINUTE_MS;

export const USER_SESSION_LIFETIME_SECONDS = MAX_AGE_MS / 1000;

type SessionUser = Pick<UserRow, 'id' | 'email' | 'name'>;

/** A signed-in user in one browser. */
export interface UserSession {
  readonly token: string;
  readonly user: SessionUser;
  /** When the user last proved a password or a passkey in this session. */
  readonly authenticatedAt: number;
}

/** The browser of a session, so that the user recognizes it in the list of sessions. */
export interface SessionClient {
  readonly ip: string;
  readonly userAgent: string | undefined;
}

const MAX_USER_AGENT_LENGTH = 512;

/** Always creates a new token, which prevents session fixation. */
export const openUserSession = async (
  db: Kysely<Database>,
  userId: string,
  now: number,
  client?: SessionClient,
): Promise<string> => {
  const token = createSecretToken('lst_');
  const row: UserSessionRow = {
    hash: hashToken(token),
    user_id: userId,
    created_at: now,
    seen_at: now,
    expires_at: now + MAX_AGE_MS,
    authenticated_at: now,
    ip_address: client?.ip ?? null,
    user_agent: client?.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
  };
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('expires_at', '<=', now).execute();
  await db.insertInto('sessions').values(row).execute();
  return token;
};

/** The sessions with which the user is signed in now. */
export const selectActiveUserSessions = (db: Kysely<Database>, userId: string, now: number) =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where('seen_at', '>', now - IDLE_TIMEOUT_MS);

/** Returns null if the user has no such session. */
export const deleteUserSessionById = async (
  db: Kysely<Database>,
  userId: string,
  sessionId: string,
): Promise<UserSessionRow | null> => {
  const row = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('hash', '=', sessionId)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
};

/** After the user has proved the password or a passkey again. */
export const markUserSessionAuthenticated = async (db: Kysely<Database>, token: string, now: number): Promise<void> => {
  await db.updateTable('sessions').set({ authenticated_at: now }).where('hash', '=', hashToken(token)).execute();
};

export const deleteUserSessionByToken = async (db: Kysely<Database>, token: string): Promise<void> => {
  await db.deleteFrom('sessions').where('hash', '=', hashToken(token)).execute();
};

export const findAndRefreshUserSession = async (
  db: Kysely<Database>,
  token: string,
  now: number,
): Promise<UserSession | null> => {
  const hash = hashToken(token);
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.email', 'users.name', 'sessions.seen_at', 'sessions.expires_at'])
    .select('sessions.authenticated_at')
    .where('sessions.hash', '=', hash)
    .where('users.is_deleted', '=', 0)
    .where('users.verified_at', 'is not', null)
    .executeTakeFirst();
  if (row === undefined || row.expires_at <= now || row.seen_at + IDLE_TIMEOUT_MS <= now) return null;
  if (row.seen_at + SEEN_UPDATE_MS <= now) {
    await db.updateTable('sessions').set({ seen_at: now }).where('hash', '=', hash).execute();
  }
  const user = { id: row.id, email: row.email, name: row.name };
  return { token, user, authenticatedAt: row.authenticated_at };
};
