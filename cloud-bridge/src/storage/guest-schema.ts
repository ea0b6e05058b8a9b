/** Browser session of a guest, one row per member. The token is stored only in the cookie. */
export interface GuestSessionRow {
  hash: string;
  member_id: string;
  organization_id: string;
  /** The credential of the login, exactly one of the two. The session is invalid without it. */
  member_magic_link_id: string | null;
  member_email_id: string | null;
  created_at: number;
  expires_at: number;
}

/** Login code for an email address. Also created for unknown addresses, without an email. */
export interface GuestLoginCodeRow {
  /** Hash of the login id, which only the requesting browser knows. */
  hash: string;
  email: string;
  blind: string;
  tries_left: number;
  expires_at: number;
}
