import type { Role } from '@lintel/wire-protocol/admin/role';
import type { Requester } from '../http/caller.ts';

/** Whoever administers one organization, within what their role allows. */
export interface AdminCaller extends Requester {
  readonly role: Role;
  /** The sites beyond which there is nothing for them; null: all are theirs. */
  readonly siteIds: readonly string[] | null;
}
