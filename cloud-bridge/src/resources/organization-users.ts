import type { EditOrganizationUserRequest } from '@lintel/wire-protocol/admin/organization-user';
import type { Role } from '@lintel/wire-protocol/admin/role';
import type { Kysely } from 'kysely';
import { ApiError, createInvalidFieldError, createNotFoundError } from '../http/api-error.ts';
import type { Database } from '../storage/schema.ts';
import type { OrganizationUserRow, UserRow } from '../storage/user-schema.ts';
import type { Actor } from '../transactions/actor.ts';
import { revokeScriptTokensOfUser } from './script-tokens.ts';
import { compareRows, type RecordedChanges } from '../transactions/recorded-changes.ts';
import { requireReferencedRows } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

/** A user of the organization, or a person who is invited and gets this user id by accepting the invitation. */
export type OrganizationUser = OrganizationUserRow &
  Pick<UserRow, 'email' | 'name' | 'verified_at'> & { readonly invitation_expires_at: number | null };

/** Never reads the account of an invited address, so that the inviter does not learn whether there is one. */
export const selectOrganizationUsers = (db: Kysely<Database>, organizationId: string) =>
  db
    .selectFrom('organization_users')
    .leftJoin('users', 'users.id', 'organization_users.user_id')
    .leftJoin('user_invitations', join =>
      join
        .onRef('user_invitations.organization_id', '=', 'organization_users.organization_id')
        .onRef('user_invitations.user_id', '=', 'organization_users.user_id'),
    )
    .selectAll('organization_users')
    .select(eb => [
      eb.fn.coalesce('users.email', 'user_invitations.email', eb.val('')).as('email'),
      eb.fn.coalesce('users.name', 'user_invitations.name', eb.val('')).as('name'),
      'users.verified_at',
      'user_invitations.expires_at as invitation_expires_at',
    ])
    .where('organization_users.organization_id', '=', organizationId);

export const recordOrganizationUserEvent = (
  context: WriteContext,
  verb: 'create' | 'edit' | 'delete',
  userId: string,
  by?: Actor,
  changes?: RecordedChanges,
): void => {
  const object = { type: 'user', user_id: userId };
  context.log({ verb, object, ...(changes === undefined ? {} : { changes }) }, by);
};

export const requireOrganizationUser = async (
  { db, organizationId }: WriteContext,
  userId: string,
): Promise<OrganizationUser> => {
  const row = await selectOrganizationUsers(db, organizationId)
    .where('organization_users.user_id', '=', userId)
    .executeTakeFirst();
  if (row === undefined) throw createNotFoundError('user', userId);
  return row;
};

/** Only owners may add, change or remove owners. */
export const requireOwnerToChangeOwners = (actingRole: Role, ...touched: readonly string[]): void => {
  if (actingRole === 'owner' || !touched.includes('owner')) return;
  throw new ApiError('forbidden', 'Only an owner may add, change or remove an owner');
};

const requireAnotherOwner = async (
  { db, organizationId }: WriteContext,
  { user_id, role, verified_at }: OrganizationUser,
  field: string,
): Promise<void> => {
  if (role !== 'owner' || verified_at === null) return;
  const other = await db
    .selectFrom('organization_users')
    .innerJoin('users', 'users.id', 'organization_users.user_id')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .where('user_id', '<>', user_id)
    .where('users.is_deleted', '=', 0)
    .where('users.verified_at', 'is not', null)
    .executeTakeFirst();
  if (other === undefined)
    throw createInvalidFieldError(field, 'cannot be changed or removed: an organization needs at least one owner', {
      id: user_id,
    });
};

export const requireValidSitesForRole = async (
  context: WriteContext,
  role: Role,
  siteIds: readonly string[],
): Promise<void> => {
  if (role !== 'technician' && siteIds.length > 0) {
    throw createInvalidFieldError(
      'site_ids',
      'must be empty. Only technicians have sites, all other roles have access to all sites',
    );
  }
  await requireReferencedRows(context, 'sites', 'site_ids', siteIds);
};

export const editOrganizationUser = async (
  context: WriteContext,
  actingRole: Role,
  userId: string,
  body: EditOrganizationUserRequest,
): Promise<OrganizationUser> => {
  const row = await requireOrganizationUser(context, userId);
  const role = body.role ?? (row.role as Role);
  requireOwnerToChangeOwners(actingRole, row.role, role);
  if (role !== 'owner') await requireAnotherOwner(context, row, 'role');
  const currentSiteIds = role === 'technician' ? (JSON.parse(row.site_ids) as string[]) : [];
  if (body.site_ids !== undefined) await requireValidSitesForRole(context, role, body.site_ids);
  const site_ids = JSON.stringify(body.site_ids ?? currentSiteIds);
  if (role === row.role && site_ids === row.site_ids) return row;
  await context.db
    .updateTable('organization_users')
    .set({ role, site_ids })
    .where('organization_id', '=', context.organizationId)
    .where('user_id', '=', userId)
    .execute();
  const changed = { ...row, role, site_ids };
  recordOrganizationUserEvent(context, 'edit', userId, undefined, compareRows('user', row, changed));
  return changed;
};

/**
 * Revokes an invitation and ends script tokens of the user, but keeps an account, because it may belong to other
 * organizations. The caller must clear the cache of the `AccessTokenAuthenticator` after the commit.
 */
export const removeOrganizationUser = async (
  context: WriteContext,
  actingRole: Role,
  userId: string,
): Promise<OrganizationUser> => {
  const row = await requireOrganizationUser(context, userId);
  requireOwnerToChangeOwners(actingRole, row.role);
  await requireAnotherOwner(context, row, 'user_id');
  for (const table of ['organization_users', 'user_invitations'] as const) {
    await context.db
      .deleteFrom(table)
      .where('organization_id', '=', context.organizationId)
      .where('user_id', '=', userId)
      .execute();
  }
  await revokeScriptTokensOfUser(context, userId);
  recordOrganizationUserEvent(context, 'delete', userId, undefined, compareRows('user', row, null));
  return row;
};
