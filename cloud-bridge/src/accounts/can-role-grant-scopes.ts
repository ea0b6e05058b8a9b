import { type Role, roles } from '@lintel/wire-protocol/admin/role';

export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);

/** A user can grant an application only the access that the user has. */
export const canGrantScopes = (role: Role, scopes: readonly string[]): boolean => {
  if (role === 'owner' || role === 'administrator') return true;
  return role === 'viewer' && !scopes.includes('full_read_write');
};
