import type { AccessTokenIdentity } from '../http/authenticated-caller.ts';
import type { UserSession } from './user-sessions.ts';

/** The user or application that sent a request, before an organization is selected. */
export interface AuthenticatedAccount {
  readonly identity:
    | { readonly kind: 'session'; readonly session: UserSession }
    | { readonly kind: 'token'; readonly token: AccessTokenIdentity };
  readonly ip: string;
  readonly userAgent: string | undefined;
}
