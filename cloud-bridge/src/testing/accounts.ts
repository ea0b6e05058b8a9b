import { randomUUID } from 'node:crypto';
import type { Role } from '@lintel/wire-protocol/admin/role';
import { deriveCsrfToken } from '../accounts/csrf.ts';
import {
  type CreatedOAuthApplication,
  insertOAuthApplication,
  type NewOAuthApplication,
} from '../accounts/insert-oauth-application.ts';
import { issueOAuthTokens } from '../accounts/issue-oauth-tokens.ts';
import { buildPasswordResetUrl, createPasswordReset } from '../accounts/password-resets.ts';
import { SESSION_COOKIE } from '../accounts/session-cookies.ts';
import { openUserSession } from '../accounts/user-sessions.ts';
import { buildCookieName } from '../http/bridge-cookie.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { OrganizationRow } from '../storage/schema.ts';

type Services = Pick<BridgeServices, 'storage' | 'newId' | 'masterKeys' | 'clock'>;

/** Returns its id. */
export const insertOrganization = async (
  { storage, newId, masterKeys, clock }: Services,
  values: Partial<OrganizationRow> = {},
): Promise<string> => {
  const id = newId('organization');
  await storage.writer
    .insertInto('organizations')
    .values({
      id,
      name: 'Test',
      is_deleted: 0,
      created_at: clock(),
      metadata: '{}',
      whitelabel: 1,
      technicians_activate: 0,
      guest_contact_name: null,
      guest_contact_phone: null,
      guest_pins: 'online',
      revision: 0,
      last_recorded_at: 0,
      key_version: masterKeys.currentVersion,
      ...values,
    })
    .execute();
  return id;
};

/** An application with a secret, as its developer registers it. */
export const createApplication = (
  { storage, newId, masterKeys, clock }: Services,
  settings: NewOAuthApplication,
): Promise<CreatedOAuthApplication> => {
  const keys = masterKeys.derivedKeys(masterKeys.currentVersion);
  return insertOAuthApplication(storage.writer, settings, { newId, now: clock(), keys });
};

/** An application without a secret, for tokens that are issued without the consent of a user. Returns its id. */
export const insertApplication = async (
  { storage, newId, clock }: Services,
  organizationId: string,
): Promise<string> => {
  const id = newId('oauth_application');
  await storage.writer
    .insertInto('oauth_applications')
    .values({
      id,
      organization_id: organizationId,
      client_id: randomUUID(),
      client_secret_hash: null,
      name: 'Test application',
      redirect_uris: '[]',
      is_public: 0,
      is_deleted: 0,
      created_at: clock(),
    })
    .execute();
  return id;
};

export interface AccessTokenGrant {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly scope?: string;
}

export const issueAccessToken = async (
  { storage, clock }: Services,
  { scope = 'full_read_write', ...grant }: AccessTokenGrant,
): Promise<string> => {
  const full = { ...grant, scope, userId: null, familyId: randomUUID() };
  return (await issueOAuthTokens(storage.writer, full, clock())).access_token;
};

export const TEST_PASSWORD = 'correct horse battery staple';

/** Argon2 reads its cost from the hash. The lowest cost makes a login take microseconds. */
const TEST_PASSWORD_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$DIlUuBNx69JJ1TZ0E6q1oA$XJHP6ZQu/NeqMV+j/WoUM79+hhvzixsMmuuY3zHkPL0';

export interface InsertedUser {
  readonly email?: string;
  readonly name?: string;
}

/** A user with a verified address and `TEST_PASSWORD`. Returns its id. */
export const insertUser = async (
  { storage, newId, clock }: Services,
  { email, name = '' }: InsertedUser = {},
): Promise<string> => {
  const id = newId('user');
  const now = clock();
  await storage.writer
    .insertInto('users')
    .values({
      id,
      email: email ?? `${id}@example.test`,
      name,
      password_hash: TEST_PASSWORD_HASH,
      is_deleted: 0,
      created_at: now,
      verified_at: now,
    })
    .execute();
  return id;
};

/** `siteIds`: for technicians. */
export const addUserToOrganization = async (
  { storage }: Pick<BridgeServices, 'storage'>,
  organizationId: string,
  userId: string,
  role: Role,
  siteIds: readonly string[] = [],
): Promise<void> => {
  const row = { organization_id: organizationId, user_id: userId, role, site_ids: JSON.stringify(siteIds) };
  await storage.writer.insertInto('organization_users').values(row).execute();
};

/** Opens a session. Returns the headers that authenticate it. */
export const signIn = async (
  { storage, clock, publicUrl }: Pick<BridgeServices, 'storage' | 'clock' | 'publicUrl'>,
  userId: string,
) => {
  const token = await openUserSession(storage.writer, userId, clock());
  return { cookie: `${buildCookieName(publicUrl, SESSION_COOKIE)}=${token}`, 'x-csrf-token': deriveCsrfToken(token) };
};

/** As `lintel user reset-password`. */
export const createPasswordResetLink = async (
  { storage, clock, publicUrl }: Pick<BridgeServices, 'storage' | 'clock' | 'publicUrl'>,
  userId: string,
): Promise<string> =>
  buildPasswordResetUrl(publicUrl, (await createPasswordReset(storage.writer, userId, clock())).token);
