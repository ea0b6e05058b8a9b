import type { Role } from '@lintel/wire-protocol/admin/role';
import type { OrganizationCaller } from '../http/authenticated-caller.ts';

/** A caller of the administration API, with its role in one organization. */
export interface AdminCaller extends OrganizationCaller {
  readonly role: Role;
}
