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
