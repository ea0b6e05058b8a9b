import type { Role } from '@lintel/wire-protocol/admin/role';

/** A user can grant an application only the access that the user has. */
export const canGrantScopes = (role: Role, scopes: readonly string[]): boolean => {
  if (role === 'owner' || role === 'administrator') return true;
  return role === 'viewer' && !scopes.includes('full_read_write');
};
