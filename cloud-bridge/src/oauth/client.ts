import type { Kysely } from 'kysely';
import type { Database, OAuthApplicationRow } from '../storage/schema.ts';

/** An application as the library knows it. */
export interface OAuthClient {
  readonly id: string;
  readonly redirectUris: string[];
  readonly grants: string[];
  readonly application: OAuthApplicationRow;
}

export const clientOf = (application: OAuthApplicationRow): OAuthClient => ({
  id: application.id,
  redirectUris: JSON.parse(application.redirect_uris) as string[],
  grants: ['authorization_code', 'refresh_token'],
  application,
});

export const findApplication = (db: Kysely<Database>, clientId: string): Promise<OAuthApplicationRow | undefined> =>
  db
    .selectFrom('oauth_applications')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('is_deleted', '=', 0)
    .executeTakeFirst();
