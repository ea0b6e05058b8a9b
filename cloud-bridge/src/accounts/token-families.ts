import type { Kysely } from 'kysely';
import { hashToken, newToken } from '../secrets/token-hash.ts';
import type { Database, OAuthTokenRow } from '../storage/schema.ts';
import type { TokenGrant } from './tokens.ts';

const CODE_MS = 15 * 60 * 1000;
const REVOKED = 0;

/** What the exchange of a code is held against. */
export interface CodeDetails {
  readonly redirect_uri: string;
  readonly code_challenge: string | null;
}

export const issueCode = async (
  db: Kysely<Database>,
  grant: TokenGrant,
  details: CodeDetails,
  now: number,
): Promise<string> => {
  const code = newToken('lac_');
  await db
    .insertInto('oauth_tokens')
    .values({
      hash: hashToken(code),
      kind: 'code',
      family_id: grant.familyId,
      organization_id: grant.organizationId,
      oauth_application_id: grant.applicationId,
      user_id: grant.userId,
      scope: grant.scope,
      expires_at: now + CODE_MS,
      used_at: null,
      created_at: now,
      details: JSON.stringify(details),
    })
    .execute();
  return code;
};

export const findToken = (db: Kysely<Database>, token: string): Promise<OAuthTokenRow | undefined> =>
  db.selectFrom('oauth_tokens').selectAll().where('hash', '=', hashToken(token)).executeTakeFirst();

export const isRevoked = ({ expires_at }: Pick<OAuthTokenRow, 'expires_at'>): boolean => expires_at === REVOKED;

export const grantOf = (row: OAuthTokenRow): TokenGrant => ({
  organizationId: row.organization_id,
  applicationId: row.oauth_application_id,
  userId: row.user_id,
  scope: row.scope,
  familyId: row.family_id,
});

/** Marks a code or a refresh token as used. Of any number who try at once, one is told `true`. */
export const claim = async (db: Kysely<Database>, hash: string, now: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('oauth_tokens')
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .where(row => row.or([row('expires_at', 'is', null), row('expires_at', '>', now)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

const TWIN_MS = 5000;

/**
 * A callback that a browser loads twice sends its code twice, at once: the second is refused, but nobody has stolen
 * anything. A code that comes back later is a replay (RFC 6749, 4.1.2).
 */
export const isTwin = async (db: Kysely<Database>, hash: string, now: number): Promise<boolean> => {
  const row = await db
    .selectFrom('oauth_tokens')
    .select(['kind', 'used_at'])
    .where('hash', '=', hash)
    .executeTakeFirst();
  return row?.kind === 'code' && row.used_at !== null && now - row.used_at < TWIN_MS;
};

/** The rows stay until they are pruned, so that a token that is shown again is still known for what it is. */
export const revokeFamily = async (db: Kysely<Database>, familyId: string): Promise<void> => {
  await db.updateTable('oauth_tokens').set({ expires_at: REVOKED }).where('family_id', '=', familyId).execute();
};

export const revokeOne = async (db: Kysely<Database>, hash: string): Promise<void> => {
  await db.updateTable('oauth_tokens').set({ expires_at: REVOKED }).where('hash', '=', hash).execute();
};

export const revokeApplication = async (
  db: Kysely<Database>,
  organizationId: string,
  applicationId: string,
): Promise<void> => {
  await db
    .updateTable('oauth_tokens')
    .set({ expires_at: REVOKED })
    .where('organization_id', '=', organizationId)
    .where('oauth_application_id', '=', applicationId)
    .execute();
};

const DAY = 24 * 60 * 60 * 1000;
const USED_KEPT_MS = 90 * DAY;

/** Removes what nobody can use or misuse any more. */
export const pruneTokens = async (db: Kysely<Database>, now: number): Promise<void> => {
  await db
    .deleteFrom('oauth_tokens')
    .where('expires_at', '<', now - DAY)
    .execute();
  await db
    .deleteFrom('oauth_tokens')
    .where('kind', '=', 'refresh')
    .where('used_at', '<', now - USED_KEPT_MS)
    .execute();
  await db.deleteFrom('sessions').where('expires_at', '<', now).execute();
};
