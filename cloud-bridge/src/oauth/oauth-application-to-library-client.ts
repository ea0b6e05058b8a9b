import type { Kysely } from 'kysely';
import type { Database, OAuthApplicationRow } from '../storage/schema.ts';

/** An application in the format of the OAuth library. */
export interface OAuthClient {
  readonly id: string;
  readonly redirectUris: string[];
  readonly grants: string[];
  readonly application: OAuthApplicationRow;
}

export const toOAuthClient = (application: OAuthApplicationRow): OAuthClient => ({
  id: application.id,
  redirectUris: JSON.parse(application.redirect_uris) as string[],
  grants: ['authorization_code', 'refresh_token'],
  application,
});

export const findOAuthApplicationByClientId = (
  db: Kysely<Database>,
  clientId: string,
): Promise<OAuthApplicationRow | undefined> =>
  db
    .selectFrom('oauth_applications')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('is_deleted', '=', 0)
    .executeTakeFirst();
