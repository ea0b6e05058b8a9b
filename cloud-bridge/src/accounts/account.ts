import type { TokenIdentity } from '../http/caller.ts';
import type { Session } from './sessions.ts';

/** An authenticated person or application, before an organization is chosen. */
export interface Account {
  readonly identity:
    | { readonly kind: 'session'; readonly session: Session }
    | { readonly kind: 'token'; readonly token: TokenIdentity };
  readonly ip: string;
  readonly userAgent: string | undefined;
}
