import type { Role } from '@lintel/wire-protocol/admin/role';
import type { Session } from '../accounts/sessions.ts';
import type { Requester, TokenIdentity } from '../http/caller.ts';

/** Whoever has shown who they are, before it matters which organization they want. */
export interface Account {
  readonly identity:
    | { readonly kind: 'session'; readonly session: Session }
    | { readonly kind: 'token'; readonly token: TokenIdentity };
  readonly ip: string;
  readonly userAgent: string | undefined;
}

/** Whoever administers one organization, within what their role allows. */
export interface AdminCaller extends Requester {
  readonly role: Role;
  /** The sites beyond which there is nothing for them; null: all are theirs. */
  readonly siteIds: readonly string[] | null;
}
