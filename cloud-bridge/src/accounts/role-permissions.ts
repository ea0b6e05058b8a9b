import type { Role } from '@lintel/wire-protocol/admin/role';

/** What an endpoint of the administration asks of whoever calls it. */
export const permissions = [
  'organization.read',
  'organization.edit',
  'users.read',
  'users.write',
  'sites.read',
  'sites.write',
  'products.read',
  'devices.read',
  'devices.edit',
  'devices.write',
  'gadgets.read',
  'gadgets.write',
  'input_rules.read',
  'input_rules.write',
  'applications.read',
  'applications.write',
  'claim_tickets.read',
  'claim_tickets.write',
  'updates.read',
  'updates.write',
] as const;
export type Permission = (typeof permissions)[number];

const reading = permissions.filter(permission => permission.endsWith('.read'));

/** Owners and administrators differ in one thing only: owners are the affair of owners, see `organization-users`. */
const table: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  owner: new Set(permissions),
  administrator: new Set(permissions),
  viewer: new Set(reading),
  technician: new Set<Permission>([
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
  ]),
};

export const allows = (role: Role, permission: Permission): boolean => table[role].has(permission);

/** Technicians see the sites that they are assigned to, everybody else sees all. */
export const isBoundToSites = (role: Role): boolean => role === 'technician';

/** What a token stands for; null when it may not even look. */
export const roleOfScopes = (scopes: ReadonlySet<string>): Role | null => {
  if (scopes.has('full_read_write')) return 'administrator';
  return scopes.has('full_read_only') ? 'viewer' : null;
};
