import type { Role } from '@lintel/wire-protocol/admin/role';
import type { Kysely } from 'kysely';
import type { Database } from '../storage/schema.ts';
import type { AuthenticatedAccount } from './authenticated-account.ts';
import type { CallerRights } from '../http/authenticated-caller.ts';
import { isLimitedToSites, findRoleForScopes, isRole } from './role-permissions.ts';

export interface OrganizationAccess extends CallerRights {
  readonly role: Role;
  /** The sites that the account is limited to; null without a limit. */
  readonly siteIds: readonly string[] | null;
}

export const findOrganizationAccessOfUser = async (
  db: Kysely<Database>,
  organizationId: string,
  userId: string,
): Promise<OrganizationAccess | null> => {
  const row = await db
    .selectFrom('organization_users')
    .innerJoin('organizations', 'organizations.id', 'organization_users.organization_id')
    .select(['organization_users.role', 'organization_users.site_ids'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('organizations.is_deleted', '=', 0)
    .executeTakeFirst();
  if (row === undefined || !isRole(row.role)) return null;
  const siteIds = isLimitedToSites(row.role) ? (JSON.parse(row.site_ids) as string[]) : null;
  return { role: row.role, isApplication: false, siteIds };
};

/** Null if the account has no access; callers then report the organization as unknown. */
export const findOrganizationAccessOfAccount = async (
  db: Kysely<Database>,
  organizationId: string,
  { identity }: AuthenticatedAccount,
): Promise<OrganizationAccess | null> => {
  if (identity.kind === 'session') return findOrganizationAccessOfUser(db, organizationId, identity.session.user.id);
  const role = findRoleForScopes(identity.token.scopes);
  if (role === null || identity.token.organizationId !== organizationId) return null;
  return { role, isApplication: identity.token.isApplication, siteIds: null };
};
