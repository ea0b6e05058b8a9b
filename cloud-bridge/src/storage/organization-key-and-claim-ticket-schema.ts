/** Ed25519 key with which the bridge signs messages to the organization's controllers. Created on first use. */
export interface OrganizationKeyRow {
  organization_id: string;
  /** 32 bytes in base64url. */
  public_key: string;
  sealed_private_key: string;
  created_at: number;
  /** Counter of the newest revocation signed with this key. */
  revoke_counter: number;
}

/** Single-use permission to claim one controller. */
export interface ClaimTicketRow {
  id: string;
  organization_id: string;
  site_id: string;
  /** The existing device to claim hardware for; null to create a device. */
  device_id: string | null;
  /** Hash of the claim code that people type. */
  code_hash: string;
  created_at: number;
  expires_at: number;
  redeemed_at: number | null;
  revoked_at: number | null;
  /** Null for a ticket of an application or of the operator. */
  issued_by_user_id: string | null;
  /** Null for a signed-in user. */
  issued_by_application_id: string | null;
  /** 1: issued by a person with access to the data folder. */
  is_from_operator: 0 | 1;
  /** Hardware that waits for a confirmation before it replaces the controller of `device_id`. */
  waiting_hardware_id: string | null;
  /** Its Ed25519 key, 32 bytes in base64url. */
  waiting_public_key: string | null;
  waiting_since: number | null;
  /** When an administrator confirmed this replacement. */
  confirmed_at: number | null;
}
