import type { Actor } from '../writing/actor.ts';
import { type ClientInfo, clientInfo } from './client-info.ts';

/** Who a token stands for. */
export interface TokenIdentity {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly userId: string | null;
  readonly scopes: ReadonlySet<string>;
}

/** Whoever asks something of one organization, by whatever way they came in. */
export interface Requester {
  readonly organizationId: string;
  /** Null for a person who is signed in. */
  readonly applicationId: string | null;
  readonly userId: string | null;
  readonly ip: string;
  readonly userAgent: string | undefined;
}

/** Whoever came in with a token. */
export interface Caller extends TokenIdentity {
  readonly ip: string;
  readonly userAgent: string | undefined;
}

export const maySee = (caller: Caller): boolean =>
  caller.scopes.has('full_read_write') || caller.scopes.has('full_read_only');

export const mayWrite = (caller: Caller): boolean => caller.scopes.has('full_read_write');

/** An application acts, and the user who authorized it is recorded beside; or a person who is signed in. */
export const actorOf = (caller: Requester): Actor => ({
  ...(caller.applicationId === null ? {} : { oauth_application_id: caller.applicationId }),
  ...(caller.userId === null ? {} : { user_id: caller.userId }),
  ip_address: caller.ip,
  client: clientInfo(caller.userAgent) satisfies ClientInfo,
});
