import type { Kysely } from 'kysely';
import { hashToken, createSecretToken } from '../secrets/create-and-hash-token.ts';
import type { Database } from '../storage/schema.ts';
import type { UserRow } from '../storage/user-schema.ts';

const RESET_LIFETIME_MS = 3_600_000;

const TOKEN_PREFIX = 'lpr_';

/** Also stores a row for an address without an account (`null`), so that both cases do the same work. */
export const createPasswordReset = async (
  db: Kysely<Database>,
  userId: string | null,
  now: number,
): Promise<{ readonly token: string; readonly expiresAt: number }> => {
  const token = createSecretToken(TOKEN_PREFIX);
  const expiresAt = now + RESET_LIFETIME_MS;
  await db.deleteFrom('password_resets').where('expires_at', '<=', now).execute();
  await db
    .insertInto('password_resets')
    .values({ token_hash: hashToken(token), user_id: userId, created_at: now, expires_at: expiresAt })
    .execute();
  return { token, expiresAt };
};

export const buildPasswordResetUrl = (publicUrl: string, token: string): string =>
  `${publicUrl}/reset-password/${token}`;

/** The user of a link that is still valid. */
export const findUserByPasswordResetToken = async (
  db: Kysely<Database>,
  token: string,
  now: number,
): Promise<Pick<UserRow, 'id' | 'email'> | null> => {
  const row = await db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .select(['users.id', 'users.email'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .where('users.is_deleted', '=', 0)
    .executeTakeFirst();
  return row ?? null;
};

/**
 * Sets the password of the link's user, and ends all sessions, passkeys and other links of the user, which another person
 * may have created. Returns the user id, or null if the link is expired or used, also by a concurrent request.
 */
export const redeemPasswordReset = async (
  db: Kysely<Database>,
  token: string,
  passwordHash: string,
  now: number,
): Promise<string | null> =>
  db.transaction().execute(async trx => {
    const redeemed = await trx
      .deleteFrom('password_resets')
      .where('token_hash', '=', hashToken(token))
      .where('expires_at', '>', now)
      .returning('user_id')
      .executeTakeFirst();
    const userId = redeemed?.user_id ?? null;
    if (userId === null) return null;
    await trx
      .updateTable('users')
      .set(eb => ({ password_hash: passwordHash, verified_at: eb.fn.coalesce('verified_at', eb.val(now)) }))
      .where('id', '=', userId)
      .execute();
    for (const table of ['password_resets', 'sessions', 'passkeys'] as const) {
      await trx.deleteFrom(table).where('user_id', '=', userId).execute();
    }
    return userId;
  });
