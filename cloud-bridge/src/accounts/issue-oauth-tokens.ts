import { DAY_MS } from '@lintel/access-core/durations';
import type { Kysely } from 'kysely';
import { hashToken, createSecretToken } from '../secrets/create-and-hash-token.ts';
import type { Database } from '../storage/schema.ts';

const ACCESS_TOKEN_SECONDS = 3600;
/** A use replaces the refresh token, so this is how long an application can stay unused. */
const REFRESH_TOKEN_MS = 90 * DAY_MS;

export interface OAuthTokenGrant {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly userId: string | null;
  readonly scope: string;
  readonly familyId: string;
}

/** The response of the token endpoint and the output of `lintel token --json`. */
export interface IssuedOAuthTokens {
  readonly access_token: string;
  readonly expires_in: number;
  readonly refresh_token?: string;
  readonly scope: string;
  readonly token_type: 'bearer';
}

/**
 * Stores only hashes of the tokens. The scope `offline` adds a refresh token, which keeps the full scope of the grant even
 * if the access token has less (RFC 6749 section 6).
 */
export const issueOAuthTokens = async (
  db: Kysely<Database>,
  grant: OAuthTokenGrant,
  now: number,
  accessScope: string = grant.scope,
): Promise<IssuedOAuthTokens> => {
  const access = createSecretToken('lat_');
  const refresh = grant.scope.split(' ').includes('offline') ? createSecretToken('lrt_') : undefined;
  const row = {
    family_id: grant.familyId,
    organization_id: grant.organizationId,
    oauth_application_id: grant.applicationId,
    user_id: grant.userId,
    scope: grant.scope,
    used_at: null,
    created_at: now,
    details: null,
    script_token_id: null,
    script_token_name: null,
  };
  const rows = [
    {
      ...row,
      hash: hashToken(access),
      kind: 'access' as const,
      scope: accessScope,
      expires_at: now + ACCESS_TOKEN_SECONDS * 1000,
    },
    ...(refresh === undefined
      ? []
      : [{ ...row, hash: hashToken(refresh), kind: 'refresh' as const, expires_at: now + REFRESH_TOKEN_MS }]),
  ];
  await db.insertInto('oauth_tokens').values(rows).execute();
  return {
    access_token: access,
    expires_in: ACCESS_TOKEN_SECONDS,
    ...(refresh === undefined ? {} : { refresh_token: refresh }),
    scope: accessScope,
    token_type: 'bearer',
  };
};
