/** The Ed25519 key under which the organization's controllers know their bridge; made when it is first needed. */
export interface OrganizationKeyRow {
  organization_id: string;
  /** 32 bytes in base64url. */
  public_key: string;
  sealed_private_key: string;
  created_at: number;
  /** Of the newest revocation that was signed with it. */
  revoke_counter: number;
}

/** A permission to claim one controller, used up by its first redemption. */
export interface ClaimTicketRow {
  id: string;
  organization_id: string;
  site_id: string;
  /** The device whose hardware is claimed; null when the claim makes a new one. */
  device_id: string | null;
  /** Of the short form that people type. */
  code_hash: string;
  created_at: number;
  expires_at: number;
  redeemed_at: number | null;
  revoked_at: number | null;
}
