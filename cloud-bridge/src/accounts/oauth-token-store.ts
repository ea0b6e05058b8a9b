import { DAY_MS } from '@lintel/access-core/durations';
import type { Kysely } from 'kysely';
import { sealSecret, unsealSecret } from '../secrets/sealing.ts';
import { hashToken, createSecretToken } from '../secrets/create-and-hash-token.ts';
import type { Database, OAuthTokenRow } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import type { IssuedOAuthTokens, OAuthTokenGrant } from './issue-oauth-tokens.ts';

const CODE_LIFETIME_MS = 15 * 60 * 1000;
/** The `expires_at` of a revoked token. */
const REVOKED = 0;

/** Stored with a code and checked when it is exchanged for tokens. */
export interface OAuthAuthorizationCodeDetails {
  readonly redirect_uri: string;
  readonly code_challenge: string | null;
}

export const issueOAuthAuthorizationCode = async (
  db: Kysely<Database>,
  grant: OAuthTokenGrant,
  details: OAuthAuthorizationCodeDetails,
  now: number,
): Promise<string> => {
  const code = createSecretToken('lac_');
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
      expires_at: now + CODE_LIFETIME_MS,
      used_at: null,
      created_at: now,
      details: JSON.stringify(details),
      script_token_id: null,
      script_token_name: null,
    })
    .execute();
  return code;
};

export const findOAuthToken = (db: Kysely<Database>, token: string): Promise<OAuthTokenRow | undefined> =>
  db.selectFrom('oauth_tokens').selectAll().where('hash', '=', hashToken(token)).executeTakeFirst();

export const isOAuthTokenRevoked = ({ expires_at }: Pick<OAuthTokenRow, 'expires_at'>): boolean =>
  expires_at === REVOKED;

export const toOAuthTokenGrant = (row: OAuthTokenRow): OAuthTokenGrant => ({
  organizationId: row.organization_id,
  applicationId: row.oauth_application_id,
  userId: row.user_id,
  scope: row.scope,
  familyId: row.family_id,
});

/** Marks a code or a refresh token as used. Returns true for exactly one of several concurrent calls. */
export const consumeOAuthToken = async (db: Kysely<Database>, hash: string, now: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('oauth_tokens')
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .where(row => row.or([row('expires_at', 'is', null), row('expires_at', '>', now)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

const DUPLICATE_WINDOW_MS = 5000;

/**
 * A browser that loads the callback twice sends the code twice within seconds. The second request is rejected, but it is
 * not an attack. A code that is sent again later is a replay (RFC 6749, 4.1.2).
 */
export const isDuplicateOAuthRedemption = async (db: Kysely<Database>, hash: string, now: number): Promise<boolean> => {
  const row = await db
    .selectFrom('oauth_tokens')
    .select(['kind', 'used_at'])
    .where('hash', '=', hash)
    .executeTakeFirst();
  return row?.kind === 'code' && row.used_at !== null && now - row.used_at < DUPLICATE_WINDOW_MS;
};

/** How long a used refresh token still returns its successor: for concurrent workers and lost responses. */
const SUCCESSOR_WINDOW_MS = 60_000;

const successorContext = (hash: string): string => `refresh_successor ${hash}`;

/** Seals the tokens that replace a refresh token, so that a retry within the window gets the same ones. */
export const storeSuccessorOAuthTokensForRetry = async (
  { db, keys }: Pick<WriteContext, 'db' | 'keys'>,
  hash: string,
  successor: IssuedOAuthTokens,
): Promise<void> => {
  const details = sealSecret(keys, JSON.stringify(successor), successorContext(hash));
  await db.updateTable('oauth_tokens').set({ details }).where('hash', '=', hash).execute();
};

/** The tokens that replaced a refresh token; null if it was used too long ago, or if they are revoked or used themselves. */
export const findSuccessorOAuthTokens = async (
  { db, masterKeys, now }: Pick<WriteContext, 'db' | 'masterKeys' | 'now'>,
  hash: string,
): Promise<IssuedOAuthTokens | null> => {
  const used = await db.selectFrom('oauth_tokens').selectAll().where('hash', '=', hash).executeTakeFirst();
  if (used?.kind !== 'refresh' || used.used_at === null || used.details === null || isOAuthTokenRevoked(used))
    return null;
  const age = now - used.used_at;
  if (age >= SUCCESSOR_WINDOW_MS) return null;
  const successor = JSON.parse(unsealSecret(masterKeys, used.details, successorContext(hash))) as IssuedOAuthTokens;
  const next = await findOAuthToken(db, successor.refresh_token ?? '');
  if (next === undefined || next.used_at !== null || isOAuthTokenRevoked(next)) return null;
  return { ...successor, expires_in: successor.expires_in - Math.floor(age / 1000) };
};

/** Keeps the rows until they are pruned, so that a replayed token is still recognized. */
export const revokeOAuthTokenFamily = async (db: Kysely<Database>, familyId: string): Promise<void> => {
  await db.updateTable('oauth_tokens').set({ expires_at: REVOKED }).where('family_id', '=', familyId).execute();
};

export const revokeOAuthToken = async (db: Kysely<Database>, hash: string): Promise<void> => {
  await db.updateTable('oauth_tokens').set({ expires_at: REVOKED }).where('hash', '=', hash).execute();
};

export const revokeOAuthApplicationTokens = async (
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

const USED_RETENTION_MS = 90 * DAY_MS;

/** Deletes expired tokens and sessions, and used refresh tokens that are too old to matter as a replay. */
export const pruneOAuthTokensAndSessions = async (db: Kysely<Database>, now: number): Promise<void> => {
  await db
    .deleteFrom('oauth_tokens')
    .where('expires_at', '<', now - DAY_MS)
    .execute();
  await db
    .deleteFrom('oauth_tokens')
    .where('kind', '=', 'refresh')
    .where('used_at', '<', now - USED_RETENTION_MS)
    .execute();
  await db
    .updateTable('oauth_tokens')
    .set({ details: null })
    .where('kind', '=', 'refresh')
    .where('details', 'is not', null)
    .where('used_at', '<', now - SUCCESSOR_WINDOW_MS)
    .execute();
  await db.deleteFrom('sessions').where('expires_at', '<', now).execute();
};
