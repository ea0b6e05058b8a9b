import type * as z from 'zod';
import type { Endpoint, EndpointDefinition } from '../http/endpoint.ts';
import type { Account, AdminCaller } from './admin-caller.ts';
import type { Permission } from './role-permissions.ts';

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

export const needing = (needs: Permission, endpoint: Endpoint<AdminCaller>): AdminEndpoint => ({ ...endpoint, needs });
