export interface UserRow {
  id: string;
  email: string;
  name: string;
  password_hash: string;
  is_deleted: 0 | 1;
  created_at: number;
  /** When the address was proven to belong to the user. Null: the user can neither sign in nor use any access. */
  verified_at: number | null;
}

export interface OrganizationUserRow {
  organization_id: string;
  user_id: string;
  role: string;
  /** JSON list of the sites assigned to a technician. */
  site_ids: string;
}

/** Browser session of a user. The token is stored only in the cookie. */
export interface UserSessionRow {
  hash: string;
  user_id: string;
  created_at: number;
  seen_at: number;
  expires_at: number;
  /** When the user last proved a password or a passkey in this session. */
  authenticated_at: number;
  ip_address: string | null;
  user_agent: string | null;
}

/**
 * An invitation that is not accepted yet. `user_id` is reserved for the invited person, who gets it together with an
 * account; it grants nothing before. The token is only in the link.
 */
export interface UserInvitationRow {
  organization_id: string;
  user_id: string;
  email: string;
  name: string;
  token_hash: string;
  created_at: number;
  expires_at: number;
}

/** A link to choose a new password. `user_id` is null if the requested address has no account. */
export interface PasswordResetRow {
  token_hash: string;
  user_id: string | null;
  created_at: number;
  expires_at: number;
}

/** A challenge that was answered, kept until it expires, so that no answer is accepted twice. */
export interface UsedPasskeyChallengeRow {
  challenge: string;
  expires_at: number;
}

/** A WebAuthn credential of a user. */
export interface PasskeyRow {
  /** The credential id, in base64url. */
  id: string;
  user_id: string;
  name: string;
  /** COSE key, in base64url. */
  public_key: string;
  counter: number;
  /** JSON list. */
  transports: string;
  created_at: number;
  used_at: number | null;
}
