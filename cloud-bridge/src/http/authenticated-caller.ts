import type { Role } from '@lintel/wire-protocol/admin/role';

/** What a caller stands for in an organization. */
export interface CallerRights {
  /** The role of the user, or the one that the token acts in; null if it permits nothing. */
  readonly role: Role | null;
  /** A token of an OAuth application, which never has rights over identity and trust. */
  readonly isApplication: boolean;
}

/** The organization, application and user that an access token belongs to. */
export interface AccessTokenIdentity {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly userId: string | null;
  readonly scopes: ReadonlySet<string>;
  /** False for a script token, which is of the built-in application `cli`. */
  readonly isApplication: boolean;
}

/** The caller of a request to one organization, with an access token or a session. */
export interface OrganizationCaller extends CallerRights {
  readonly organizationId: string;
  /** Null for a signed-in user. */
  readonly applicationId: string | null;
  /** The application whose webhooks a signed-in user manages. */
  readonly managedApplicationId?: string;
  readonly userId: string | null;
  /** The sites that the caller is limited to; null without a limit. */
  readonly siteIds: readonly string[] | null;
  readonly ip: string;
  readonly userAgent: string | undefined;
}

/** A caller with an access token. */
export interface AccessTokenCaller extends AccessTokenIdentity, OrganizationCaller {
  readonly applicationId: string;
}

export const canCallerRead = (caller: AccessTokenCaller): boolean =>
  caller.scopes.has('full_read_write') || caller.scopes.has('full_read_only');

export const canCallerWrite = (caller: AccessTokenCaller): boolean => caller.scopes.has('full_read_write');
