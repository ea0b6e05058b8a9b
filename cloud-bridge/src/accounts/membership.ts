import type { Role } from '@lintel/wire-protocol/admin/role';
import type { Kysely } from 'kysely';
import { isRole } from './roles.ts';
import type { Database } from '../storage/schema.ts';
import type { Account } from './account.ts';
import { isBoundToSites, roleOfScopes } from './role-permissions.ts';

export interface Membership {
  readonly role: Role;
  readonly siteIds: readonly string[] | null;
}

export const membershipOfUser = async (
  db: Kysely<Database>,
  organizationId: string,
  userId: string,
): Promise<Membership | null> => {
  const row = await db
    .selectFrom('organization_users')
    .innerJoin('organizations', 'organizations.id', 'organization_users.organization_id')
    .select(['organization_users.role', 'organization_users.site_ids'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('organizations.is_deleted', '=', 0)
    .executeTakeFirst();
  if (row === undefined || !isRole(row.role)) return null;
  return { role: row.role, siteIds: isBoundToSites(row.role) ? (JSON.parse(row.site_ids) as string[]) : null };
};

/** What the account is in the organization; null where it is nothing, and the organization is not there for it. */
export const membershipOf = async (
  db: Kysely<Database>,
  organizationId: string,
  { identity }: Account,
): Promise<Membership | null> => {
  if (identity.kind === 'session') return membershipOfUser(db, organizationId, identity.session.user.id);
  const role = roleOfScopes(identity.token.scopes);
  if (role === null || identity.token.organizationId !== organizationId) return null;
  return { role, siteIds: null };
};
