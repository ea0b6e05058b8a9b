import { joinWords } from '@lintel/access-core/problem-texts';
import type { AdminPermission } from '@lintel/wire-protocol/permissions/admin-permissions';
import { isOpenToApplications } from '../accounts/role-permissions.ts';
import { ApiError } from '../http/api-error.ts';
import type { CallerRights } from '../http/authenticated-caller.ts';

/** `scopes` are those of which the token needs one. */
export const createMissingScopeError = (...scopes: readonly string[]): ApiError =>
  new ApiError('forbidden', `The token needs the scope ${joinWords(scopes, 'or')}`);

/** Says what the caller lacks, and what to do. */
export const createPermissionError = ({ role, isApplication }: CallerRights, permission: AdminPermission): ApiError => {
  if (isApplication && !isOpenToApplications(permission)) {
    const message = `Applications never have the permission ${permission}. Sign in, or use a script token`;
    return new ApiError('forbidden', message, { reason: 'closed_to_applications', permission });
  }
  const message =
    role === null
      ? `The token does not have the permission ${permission}`
      : `The role ${role} does not have the permission ${permission}. Ask an administrator of the organization`;
  return new ApiError('forbidden', message, { reason: 'missing_permission', permission });
};
