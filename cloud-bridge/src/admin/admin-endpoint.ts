import type * as z from 'zod';
import { crudFor } from '../api/crud.ts';
import type { Endpoint, EndpointDefinition } from '../api/endpoint.ts';
import type { Account } from '../accounts/account.ts';
import type { AdminCaller } from './admin-caller.ts';
import type { Permission } from '../accounts/role-permissions.ts';

/** Below every address of one organization. */
export const ORGANIZATION = '/organizations/:organization_id';

/** Something of one organization. */
export interface AdminEndpoint extends Endpoint<AdminCaller> {
  readonly needs: Permission;
}

/** Something that is asked without naming an organization. */
export type AccountEndpoint = Endpoint<Account>;

interface Definition<S extends z.ZodType> extends EndpointDefinition<S, AdminCaller> {
  readonly needs: Permission;
}

export const adminEndpoint = <S extends z.ZodType>(definition: Definition<S>): AdminEndpoint => definition;

export const adminCrud = crudFor<AdminCaller>();

/** Gives each endpoint the permission that it needs. */
export const requirePermission = (
  endpoints: readonly Endpoint<AdminCaller>[],
  permissionFor: (endpoint: Endpoint<AdminCaller>) => Permission,
): AdminEndpoint[] => endpoints.map(endpoint => ({ ...endpoint, needs: permissionFor(endpoint) }));
