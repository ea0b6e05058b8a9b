/** A guest's browser: one row for each member that it stands for. Its token is in the cookie alone. */
export interface GuestSessionRow {
  hash: string;
  member_id: string;
  organization_id: string;
  /** The credential that opened it, one of the two: without it the session is worth nothing. */
  member_magic_link_id: string | null;
  member_email_id: string | null;
  created_at: number;
  expires_at: number;
}

/** A code that was sent to an address, or would have been if anybody had it. */
export interface GuestCodeRow {
  /** Of the login's id, which only the browser that asked has. */
  hash: string;
  email: string;
  blind: string;
  tries_left: number;
  expires_at: number;
}
