import type { Role } from '@lintel/wire-protocol/admin/role';

/** A user can grant an application only the access that the user has. */
export const canGrantScopes = (role: Role, scopes: readonly string[]): boolean => {
  if (role === 'owner' || role === 'administrator') return true;
  return role === 'viewer' && !scopes.includes('full_read_write');
};

/** What remains of the scopes of a script token whose creator has the role now. */
export const limitScopesToRole = (role: Role, scopes: readonly string[]): readonly string[] => {
  if (canGrantScopes(role, scopes)) return scopes;
  const readOnly = scopes.map(scope => (scope === 'full_read_write' ? 'full_read_only' : scope));
  return canGrantScopes(role, readOnly) ? readOnly : [];
};
