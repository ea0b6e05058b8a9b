import { randomUUID } from 'node:crypto';
import type { CreateScriptTokenRequest } from '@lintel/wire-protocol/admin/script-token';
import { findOrCreateCliOAuthApplication } from '../accounts/insert-oauth-application.ts';
import { revokeOAuthTokenFamily } from '../accounts/oauth-token-store.ts';
import { ApiError, createNotFoundError } from '../http/api-error.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { hashToken, createSecretToken } from '../secrets/create-and-hash-token.ts';
import type { OAuthTokenRow } from '../storage/schema.ts';
import type { Actor } from '../transactions/actor.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { insertRow } from '../transactions/row-operations.ts';

export type ScriptTokenRow = OAuthTokenRow & {
  readonly script_token_id: string;
  readonly script_token_name: string;
  readonly expires_at: number;
};

/** The script tokens of the organization that are valid at `now`. */
export const selectValidScriptTokens = (db: WriteContext['db'], organizationId: string, now: number) =>
  db
    .selectFrom('oauth_tokens')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('script_token_id', 'is not', null)
    .where('expires_at', '>', now)
    .$castTo<ScriptTokenRow>();

const selectValidScriptTokensOfUser = (db: WriteContext['db'], userId: string, now: number) =>
  db
    .selectFrom('oauth_tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .where('script_token_id', 'is not', null)
    .where('expires_at', '>', now)
    .$castTo<ScriptTokenRow>();

/** In all organizations. */
export const listScriptTokensOfUser = (
  { storage, clock }: Pick<BridgeServices, 'storage' | 'clock'>,
  userId: string,
): Promise<ScriptTokenRow[]> =>
  selectValidScriptTokensOfUser(storage.writer, userId, clock()).orderBy('script_token_name').execute();

const MAX_TOKENS_PER_USER = 20;

const requireFewTokens = async ({ db, now }: WriteContext, userId: string): Promise<void> => {
  const tokens = await selectValidScriptTokensOfUser(db, userId, now).execute();
  if (tokens.length < MAX_TOKENS_PER_USER) return;
  const message = `You have ${MAX_TOKENS_PER_USER} tokens for scripts, which is the limit. Revoke one first`;
  throw new ApiError('invalid_request', message, { reason: 'too_many_tokens' });
};

const logTokenEvent = (context: WriteContext, reason: 'token_created' | 'token_revoked', applicationId: string): void =>
  context.log({
    verb: 'edit',
    reason,
    object: { type: 'oauth_application', oauth_application_id: applicationId },
  });

/** Only the hash of the token is stored, so it is returned once. */
export const createScriptToken = async (
  context: WriteContext,
  userId: string,
  { name, scope, expires_in }: CreateScriptTokenRequest,
): Promise<{ readonly row: ScriptTokenRow; readonly accessToken: string }> => {
  await requireFewTokens(context, userId);
  const { db, organizationId, now, newId } = context;
  const application = await findOrCreateCliOAuthApplication(db, organizationId, { newId, now });
  await db
    .insertInto('oauth_grants')
    .values({
      organization_id: organizationId,
      oauth_application_id: application.id,
      user_id: userId,
      created_at: now,
    })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  const accessToken = createSecretToken('lat_');
  const row: ScriptTokenRow = {
    hash: hashToken(accessToken),
    kind: 'access',
    family_id: randomUUID(),
    organization_id: organizationId,
    oauth_application_id: application.id,
    user_id: userId,
    scope,
    expires_at: now + expires_in * 1000,
    used_at: null,
    created_at: now,
    details: null,
    script_token_id: newId('script_token'),
    script_token_name: name,
  };
  await insertRow(context, 'oauth_tokens', row);
  logTokenEvent(context, 'token_created', application.id);
  return { row, accessToken };
};

/** The caller must clear the cache of the `AccessTokenAuthenticator` after the commit. */
export const revokeScriptToken = async (context: WriteContext, id: string): Promise<ScriptTokenRow> => {
  const { db, organizationId, now } = context;
  const row = await selectValidScriptTokens(db, organizationId, now)
    .where('script_token_id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw createNotFoundError('token', id);
  await revokeOAuthTokenFamily(db, row.family_id);
  logTokenEvent(context, 'token_revoked', row.oauth_application_id);
  return row;
};

/** Ends the tokens that the user created in this organization. The caller must clear the cache as for `revokeScriptToken`. */
export const revokeScriptTokensOfUser = async (context: WriteContext, userId: string): Promise<void> => {
  const { db, organizationId, now } = context;
  const tokens = await selectValidScriptTokensOfUser(db, userId, now)
    .where('organization_id', '=', organizationId)
    .execute();
  for (const { family_id, oauth_application_id } of tokens) {
    await revokeOAuthTokenFamily(db, family_id);
    logTokenEvent(context, 'token_revoked', oauth_application_id);
  }
};

/** In all organizations, as the user asks when changing the password. */
export const revokeScriptTokensEverywhere = async (
  services: Pick<BridgeServices, 'storage' | 'clock' | 'writer'>,
  userId: string,
  actor: Actor,
): Promise<void> => {
  const tokens = await listScriptTokensOfUser(services, userId);
  for (const organizationId of new Set(tokens.map(({ organization_id }) => organization_id)))
    await services.writer.write(organizationId, actor, context => revokeScriptTokensOfUser(context, userId));
};
