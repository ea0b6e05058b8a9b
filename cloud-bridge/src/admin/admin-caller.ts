import type { Role } from '@lintel/wire-protocol/admin/role';
import type { OrganizationCaller } from '../http/authenticated-caller.ts';

/** A caller of the administration API, with its role in one organization. */
export interface AdminCaller extends OrganizationCaller {
  readonly role: Role;
  /** When the signed-in user last proved a password or a passkey; null for a token. */
  readonly authenticatedAt: number | null;
}
