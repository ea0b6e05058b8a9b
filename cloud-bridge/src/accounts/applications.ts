import type { Kysely } from 'kysely';
import { invalid } from '../http/api-error.ts';
import { newToken } from '../secrets/token-hash.ts';
import type { Database, OAuthApplicationRow } from '../storage/schema.ts';
import { hashChosenSecret, hashRandomSecret } from './client-secrets.ts';
import { checkRedirectUri } from './redirect-uris.ts';
import type { Circumstances } from './users.ts';

export interface NewApplication {
  /** The organization whose developers own it. */
  readonly organizationId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Runs where a secret cannot be kept: it has none and must use PKCE. */
  readonly isPublic?: boolean | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

export interface CreatedApplication {
  readonly application: OAuthApplicationRow;
  /** Shown this once: only its hash is kept. Public applications have none. */
  readonly clientSecret: string | null;
}

/** RFC 6749 appendix A: what may travel in a form field or in HTTP Basic. */
const VSCHAR = /^[\x20-\x7e]{1,200}$/;

const findByClientId = (db: Kysely<Database>, clientId: string): Promise<OAuthApplicationRow | undefined> =>
  db.selectFrom('oauth_applications').selectAll().where('client_id', '=', clientId).executeTakeFirst();

const secretHash = async (chosen: string | undefined, random: string): Promise<string> => {
  if (chosen === undefined) return hashRandomSecret(random);
  if (!VSCHAR.test(chosen)) throw invalid('client_secret', 'client_secret must be 1 to 200 visible ASCII characters');
  return hashChosenSecret(chosen);
};

export const createApplication = async (
  db: Kysely<Database>,
  { organizationId, name, redirectUris, isPublic = false, clientId, clientSecret }: NewApplication,
  { newId, now }: Circumstances,
): Promise<CreatedApplication> => {
  for (const [index, uri] of redirectUris.entries()) checkRedirectUri(uri, `redirect_uris.${index}`);
  if (clientId !== undefined && (!VSCHAR.test(clientId) || clientId.includes(':'))) {
    throw invalid('client_id', 'client_id must be 1 to 200 visible ASCII characters without a colon');
  }
  if (isPublic && clientSecret !== undefined) throw invalid('client_secret', 'a public application has no secret');
  if (clientId !== undefined && (await findByClientId(db, clientId)) !== undefined) {
    throw invalid('client_id', 'client_id is already in use');
  }
  const secret = clientSecret ?? newToken('lcs_');
  const application: OAuthApplicationRow = {
    id: newId('oauth_application'),
    organization_id: organizationId,
    client_id: clientId ?? newToken('lci_').slice(0, 36),
    client_secret_hash: isPublic ? null : await secretHash(clientSecret, secret),
    name,
    redirect_uris: JSON.stringify(redirectUris),
    is_public: isPublic ? 1 : 0,
    is_deleted: 0,
    created_at: now,
  };
  await db.insertInto('oauth_applications').values(application).execute();
  return { application, clientSecret: isPublic ? null : secret };
};

/**
 * The organization's built-in application for scripts, made when it is first asked for. Without redirect addresses it
 * cannot be authorized in a browser; its tokens are minted beside the database.
 */
export const cliApplication = async (
  db: Kysely<Database>,
  organizationId: string,
  { newId, now }: Circumstances,
): Promise<OAuthApplicationRow> => {
  const client_id = `cli-${organizationId}`;
  await db
    .insertInto('oauth_applications')
    .values({
      id: newId('oauth_application'),
      organization_id: organizationId,
      client_id,
      client_secret_hash: null,
      name: 'cli',
      redirect_uris: '[]',
      is_public: 1,
      is_deleted: 0,
      created_at: now,
    })
    .onConflict(conflict => conflict.column('client_id').doNothing())
    .execute();
  return db.selectFrom('oauth_applications').selectAll().where('client_id', '=', client_id).executeTakeFirstOrThrow();
};
