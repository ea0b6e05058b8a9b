import type { Kysely } from 'kysely';
import { createInvalidFieldError } from '../http/api-error.ts';
import type { DerivedKeys } from '../secrets/master-keys.ts';
import { createSecretToken } from '../secrets/create-and-hash-token.ts';
import type { Database, OAuthApplicationRow } from '../storage/schema.ts';
import { hashClientSecret } from './client-secrets.ts';
import { requireValidRedirectUri } from './redirect-uris.ts';
import type { RowCreationContext } from './users.ts';

export interface NewOAuthApplication {
  /** The organization that owns the application. */
  readonly organizationId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** A public application cannot keep a secret, so it has none and must use PKCE. */
  readonly isPublic?: boolean | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

export interface OAuthApplicationCreationContext extends RowCreationContext {
  /** For the hash of the secret. */
  readonly keys: DerivedKeys;
}

export interface CreatedOAuthApplication {
  readonly application: OAuthApplicationRow;
  /** Returned once, since only its hash is stored; null for a public application. */
  readonly clientSecret: string | null;
}

/** RFC 6749 appendix A: the characters permitted in a client id and a client secret. */
const VSCHAR = /^[\x20-\x7e]{1,200}$/;

const findByClientId = (db: Kysely<Database>, clientId: string): Promise<OAuthApplicationRow | undefined> =>
  db.selectFrom('oauth_applications').selectAll().where('client_id', '=', clientId).executeTakeFirst();

export const insertOAuthApplication = async (
  db: Kysely<Database>,
  { organizationId, name, redirectUris, isPublic = false, clientId, clientSecret }: NewOAuthApplication,
  { newId, now, keys }: OAuthApplicationCreationContext,
): Promise<CreatedOAuthApplication> => {
  for (const [index, uri] of redirectUris.entries()) requireValidRedirectUri(uri, `redirect_uris.${index}`);
  if (clientId !== undefined && (!VSCHAR.test(clientId) || clientId.includes(':'))) {
    throw createInvalidFieldError('client_id', 'must have 1 to 200 printable ASCII characters without a colon');
  }
  if (clientId?.startsWith('cli-org_') === true)
    throw createInvalidFieldError('client_id', 'must not start with cli-org_, as those of script tokens do');
  if (isPublic && clientSecret !== undefined)
    throw createInvalidFieldError('client_secret', 'must not be set, because a public application has no secret');
  if (clientSecret !== undefined && !VSCHAR.test(clientSecret)) {
    throw createInvalidFieldError('client_secret', 'must have 1 to 200 printable ASCII characters');
  }
  if (clientId !== undefined && (await findByClientId(db, clientId)) !== undefined) {
    throw createInvalidFieldError('client_id', 'is already in use by another application');
  }
  const secret = clientSecret ?? createSecretToken('lcs_');
  const id = newId('oauth_application');
  const application: OAuthApplicationRow = {
    id,
    organization_id: organizationId,
    client_id: clientId ?? createSecretToken('lci_').slice(0, 36),
    client_secret_hash: isPublic ? null : hashClientSecret(keys, id, secret),
    name,
    redirect_uris: JSON.stringify(redirectUris),
    is_public: isPublic ? 1 : 0,
    is_deleted: 0,
    created_at: now,
  };
  await db.insertInto('oauth_applications').values(application).execute();
  return { application, clientSecret: isPublic ? null : secret };
};

/** The client id of the built-in application for scripts. No other application may have one of this form. */
export const cliClientId = (organizationId: string): string => `cli-${organizationId}`;

/**
 * The organization's built-in application for scripts. It has no redirect URIs, so it cannot be authorized in a browser;
 * `lintel token` issues its tokens directly in the database.
 */
export const findOrCreateCliOAuthApplication = async (
  db: Kysely<Database>,
  organizationId: string,
  { newId, now }: RowCreationContext,
): Promise<OAuthApplicationRow> => {
  const client_id = cliClientId(organizationId);
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
