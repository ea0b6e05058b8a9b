import type { Id, IdKind } from '@lintel/access-core/ids';
import type { Kysely } from 'kysely';
import { createInvalidFieldError } from '../http/api-error.ts';
import { hashToken } from '../secrets/create-and-hash-token.ts';
import type { Database } from '../storage/schema.ts';
import type { UserRow } from '../storage/user-schema.ts';
import { hashPassword } from './passwords.ts';
import { isAllowedOperatorSetPassword } from './password-policy.ts';
import type { Role } from '@lintel/wire-protocol/admin/role';
import { isRole } from './role-permissions.ts';

/** Id source and time for a new row. */
export interface RowCreationContext {
  readonly newId: <K extends IdKind>(kind: K) => Id<K>;
  readonly now: number;
}

export interface NewUser {
  readonly email: string;
  readonly name?: string | undefined;
  readonly password: string;
}

const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;
const MAX_EMAIL_LENGTH = 254;

/** Addresses are stored and compared in this form. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

export const findUserByEmail = (db: Kysely<Database>, email: string): Promise<UserRow | undefined> =>
  db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', normalizeEmail(email))
    .where('is_deleted', '=', 0)
    .executeTakeFirst();

/** The address in the form in which it is stored. Throws if it is not an email address. */
export const parseEmail = (email: string): string => {
  const address = normalizeEmail(email);
  if (!EMAIL.test(address) || address.length > MAX_EMAIL_LENGTH || !address.isWellFormed()) {
    throw createInvalidFieldError('email', 'must be an email address');
  }
  return address;
};

const newPasswordHash = (password: string): Promise<string> => {
  if (!isAllowedOperatorSetPassword(password))
    throw createInvalidFieldError('password', 'must have 1 to 1024 characters');
  return hashPassword(password);
};

/** Creates a verified user with a password that the operator chose. */
export const createVerifiedUser = async (
  db: Kysely<Database>,
  { email, name, password }: NewUser,
  { newId, now }: RowCreationContext,
): Promise<UserRow> => {
  const address = parseEmail(email);
  if ((await findUserByEmail(db, address)) !== undefined)
    throw createInvalidFieldError('email', 'is already in use by another user');
  const row: UserRow = {
    id: newId('user'),
    email: address,
    name: name ?? '',
    password_hash: await newPasswordHash(password),
    is_deleted: 0,
    created_at: now,
    verified_at: now,
  };
  await db.insertInto('users').values(row).execute();
  return row;
};

/** Ends every session of the user except `keptSession`, so that a leaked password gives no further access. */
export const setPasswordAndEndSessions = async (
  db: Kysely<Database>,
  userId: string,
  password: string,
  keptSession?: string,
): Promise<void> => {
  const password_hash = await newPasswordHash(password);
  await db.updateTable('users').set({ password_hash }).where('id', '=', userId).execute();
  const sessions = db.deleteFrom('sessions').where('user_id', '=', userId);
  await (keptSession === undefined ? sessions : sessions.where('hash', '<>', hashToken(keptSession))).execute();
};

/** Marks the address as proven, or vouched for by the operator. */
export const markUserVerified = async (db: Kysely<Database>, userId: string, now: number): Promise<void> => {
  await db
    .updateTable('users')
    .set({ verified_at: now })
    .where('id', '=', userId)
    .where('verified_at', 'is', null)
    .execute();
};

/** Adds the user to the organization or replaces the user's role. */
export const setOrganizationUserRole = async (
  db: Kysely<Database>,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
  role: Role,
): Promise<void> => {
  await db
    .insertInto('organization_users')
    .values({ organization_id: organizationId, user_id: userId, role, site_ids: '[]' })
    .onConflict(conflict => conflict.columns(['organization_id', 'user_id']).doUpdateSet({ role }))
    .execute();
};

export interface UserOrganization {
  readonly organizationId: string;
  readonly name: string;
  readonly role: Role;
}

export const listOrganizationsOfUser = async (db: Kysely<Database>, userId: string): Promise<UserOrganization[]> => {
  const rows = await db
    .selectFrom('organization_users')
    .innerJoin('organizations', 'organizations.id', 'organization_users.organization_id')
    .select(['organizations.id', 'organizations.name', 'organization_users.role'])
    .where('organization_users.user_id', '=', userId)
    .where('organizations.is_deleted', '=', 0)
    .orderBy('organizations.name')
    .orderBy('organizations.id')
    .execute();
  return rows.flatMap(({ id, name, role }) => (isRole(role) ? [{ organizationId: id, name, role }] : []));
};
