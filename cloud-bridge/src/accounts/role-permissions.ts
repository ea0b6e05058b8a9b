import {
  type AdminPermission,
  adminPermissions,
  permissionsClosedToApplications,
} from '@lintel/wire-protocol/permissions/admin-permissions';
import { type Role, roles } from '@lintel/wire-protocol/admin/role';
import type { CallerRights } from '../http/authenticated-caller.ts';

const readPermissions = adminPermissions.filter(permission => permission.endsWith('.read'));

/** Owners and administrators differ in one point: only owners may manage owners, see `organization-users`. */
const permissionsByRole: Readonly<Record<Role, ReadonlySet<AdminPermission>>> = {
  owner: new Set(adminPermissions),
  administrator: new Set(adminPermissions),
  front_desk: new Set<AdminPermission>([
    'organization.read',
    'sites.read',
    'products.read',
    'devices.read',
    'gadgets.read',
    'gadgets.execute',
    'members.read',
    'members.write',
    'credentials.reveal',
    'member_groups.read',
    'schedules.read',
    'cards.read',
    'cards.write',
    'tags.read',
    'events.read',
  ]),
  viewer: new Set(readPermissions),
  technician: new Set<AdminPermission>([
    'organization.read',
    'sites.read',
    'products.read',
    'devices.read',
    'devices.edit',
    'gadgets.read',
    'input_rules.read',
    'input_rules.write',
    'claim_tickets.read',
    'claim_tickets.write',
    'technician_passes.write',
  ]),
};

export const roleAllows = (role: Role, permission: AdminPermission): boolean => permissionsByRole[role].has(permission);

const closedToApplications: ReadonlySet<AdminPermission> = new Set(permissionsClosedToApplications);

export const isOpenToApplications = (permission: AdminPermission): boolean => !closedToApplications.has(permission);

export const hasPermission = ({ role, isApplication }: CallerRights, permission: AdminPermission): boolean =>
  role !== null && roleAllows(role, permission) && (!isApplication || isOpenToApplications(permission));

export const listPermissions = (rights: CallerRights): AdminPermission[] =>
  adminPermissions.filter(permission => hasPermission(rights, permission));

/** Technicians see only the sites that are assigned to them, all other roles see every site. */
export const isLimitedToSites = (role: Role): boolean => role === 'technician';

/** The role that a token acts in; null if its scopes permit nothing. */
export const findRoleForScopes = (scopes: ReadonlySet<string>): Role | null => {
  if (scopes.has('full_read_write')) return 'administrator';
  return scopes.has('full_read_only') ? 'viewer' : null;
};

export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);
