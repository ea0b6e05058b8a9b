import type { AdminPermission } from '@lintel/wire-protocol/permissions/admin-permissions';
import type * as z from 'zod';
import { createCrudEndpointFactory } from '../api/crud-endpoints.ts';
import type { ApiEndpoint, EndpointDefinition } from '../api/define-endpoint.ts';
import type { AuthenticatedAccount } from '../accounts/authenticated-account.ts';
import type { AdminCaller } from './admin-caller.ts';

/** Prefix of all paths that belong to one organization. */
export const ORGANIZATION_PATH_PREFIX = '/organizations/:organization_id';

/** An endpoint below `/organizations/:organization_id`. */
export interface AdminEndpoint extends ApiEndpoint<AdminCaller> {
  readonly requiredPermission: AdminPermission;
  /** A signed-in user must have proved a password or a passkey in the last minutes, for every body or for some. */
  readonly needsFreshLogin?: true | ((body: never) => boolean);
}

/** An endpoint whose path names no organization. */
export type AccountEndpoint = ApiEndpoint<AuthenticatedAccount>;

interface AdminEndpointDefinition<S extends z.ZodType> extends EndpointDefinition<S, AdminCaller> {
  readonly requiredPermission: AdminPermission;
  readonly needsFreshLogin?: true | ((body: z.output<S>) => boolean);
}

export const defineAdminEndpoint = <S extends z.ZodType>(definition: AdminEndpointDefinition<S>): AdminEndpoint =>
  definition;

export const createAdminCrudEndpoints = createCrudEndpointFactory<AdminCaller>();

export const assignRequiredPermissions = (
  endpoints: readonly ApiEndpoint<AdminCaller>[],
  permissionFor: (endpoint: ApiEndpoint<AdminCaller>) => AdminPermission,
): AdminEndpoint[] => endpoints.map(endpoint => ({ ...endpoint, requiredPermission: permissionFor(endpoint) }));
