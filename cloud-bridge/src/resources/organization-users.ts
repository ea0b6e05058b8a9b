import type { OrganizationUserCreate, OrganizationUserEdit } from '@lintel/wire-protocol/admin/organization-user';
import type { Role } from '@lintel/wire-protocol/admin/role';
import { createUser, findUserByEmail } from '../accounts/users.ts';
import { ApiError, invalidFieldError, notFoundError } from '../http/api-error.ts';
import type { OrganizationUserRow, UserRow } from '../storage/schema.ts';
import { requireReference } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

export type OrganizationUser = OrganizationUserRow & Pick<UserRow, 'email' | 'name'>;

const logUserEvent = (context: WriteContext, verb: 'create' | 'edit' | 'delete', userId: string): void => {
  context.log({ verb, object: { type: 'user', user_id: userId } });
};

const requireUser = async ({ db, organizationId }: WriteContext, userId: string): Promise<OrganizationUser> => {
  const row = await db
    .selectFrom('organization_users')
    .innerJoin('users', 'users.id', 'organization_users.user_id')
    .selectAll('organization_users')
    .select(['users.email', 'users.name'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (row === undefined) throw notFoundError('user', userId);
  return row;
};

/** Only owners may add, change or remove owners. */
const requireOwnerForOwners = (actingRole: Role, ...touched: readonly string[]): void => {
  if (actingRole === 'owner' || !touched.includes('owner')) return;
  throw new ApiError('forbidden', 'Only an owner may add, change or remove an owner');
};

const requireAnotherOwner = async (
  { db, organizationId }: WriteContext,
  { user_id, role }: OrganizationUser,
  field: string,
): Promise<void> => {
  if (role !== 'owner') return;
  const other = await db
    .selectFrom('organization_users')
    .innerJoin('users', 'users.id', 'organization_users.user_id')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .where('user_id', '<>', user_id)
    .where('users.is_deleted', '=', 0)
    .executeTakeFirst();
  if (other === undefined) throw invalidFieldError(field, 'An organization needs at least one owner', { id: user_id });
};

const checkSites = async (context: WriteContext, role: Role, siteIds: readonly string[]): Promise<void> => {
  if (role !== 'technician' && siteIds.length > 0) {
    throw invalidFieldError('site_ids', 'site_ids is only for technicians. All other roles have access to all sites');
  }
  for (const [index, id] of siteIds.entries()) await requireReference(context, 'sites', `site_ids.${index}`, id);
};

/** Finds the account of the email address, or creates it with the password. */
const findOrCreateAccount = async (
  context: WriteContext,
  { email, name, password }: OrganizationUserCreate,
): Promise<UserRow> => {
  const known = await findUserByEmail(context.db, email);
  if (known === undefined) {
    if (password === undefined)
      throw invalidFieldError('password', 'password is required: no account has this email address');
    return createUser(context.db, { email, name, password }, { newId: context.newId, now: context.now });
  }
  if (password !== undefined) {
    throw invalidFieldError('password', 'password must be omitted: an account with this email address already exists');
  }
  return known;
};

export const addOrganizationUser = async (
  context: WriteContext,
  actingRole: Role,
  body: OrganizationUserCreate,
): Promise<OrganizationUser> => {
  requireOwnerForOwners(actingRole, body.role);
  await checkSites(context, body.role, body.site_ids);
  const { id, email, name } = await findOrCreateAccount(context, body);
  const row: OrganizationUserRow = {
    organization_id: context.organizationId,
    user_id: id,
    role: body.role,
    site_ids: JSON.stringify(body.site_ids),
  };
  const { numInsertedOrUpdatedRows } = await context.db
    .insertInto('organization_users')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n)
    throw invalidFieldError('email', 'This user already belongs to the organization', { id });
  logUserEvent(context, 'create', id);
  return { ...row, email, name };
};

export const editOrganizationUser = async (
  context: WriteContext,
  actingRole: Role,
  userId: string,
  body: OrganizationUserEdit,
): Promise<OrganizationUser> => {
  const row = await requireUser(context, userId);
  const role = body.role ?? (row.role as Role);
  requireOwnerForOwners(actingRole, row.role, role);
  if (role !== 'owner') await requireAnotherOwner(context, row, 'role');
  const currentSiteIds = role === 'technician' ? (JSON.parse(row.site_ids) as string[]) : [];
  if (body.site_ids !== undefined) await checkSites(context, role, body.site_ids);
  const site_ids = JSON.stringify(body.site_ids ?? currentSiteIds);
  if (role === row.role && site_ids === row.site_ids) return row;
  await context.db
    .updateTable('organization_users')
    .set({ role, site_ids })
    .where('organization_id', '=', context.organizationId)
    .where('user_id', '=', userId)
    .execute();
  logUserEvent(context, 'edit', userId);
  return { ...row, role, site_ids };
};

/** Keeps the account, because it may belong to other organizations. */
export const removeOrganizationUser = async (
  context: WriteContext,
  actingRole: Role,
  userId: string,
): Promise<OrganizationUser> => {
  const row = await requireUser(context, userId);
  requireOwnerForOwners(actingRole, row.role);
  await requireAnotherOwner(context, row, 'user_id');
  await context.db
    .deleteFrom('organization_users')
    .where('organization_id', '=', context.organizationId)
    .where('user_id', '=', userId)
    .execute();
  logUserEvent(context, 'delete', userId);
  return row;
};
