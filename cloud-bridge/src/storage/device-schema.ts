/** One certificate of one controller. What goes down to it is numbered for each of them. */
export interface DeviceCertificateRow {
  /** Lower-case hex. */
  serial: string;
  device_id: string;
  organization_id: string;
  /** Ed25519, 32 bytes in base64url. */
  public_key: string;
  /** In PEM, without the authority's. */
  certificate: string;
  hardware_id: string;
  /** The ticket that it was issued for; null when it was renewed. */
  claim_ticket_id: string | null;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
  /** Of the newest frame that was signed for its holder. */
  down_counter: number;
}

/** A claimed controller and its line. */
export interface DeviceLinkRow {
  device_id: string;
  organization_id: string;
  digest_key_id: string;
  sealed_digest_key: string;
  /** The certificate that it showed last. */
  serial: string;
  /** Of the session that it has now; null while it is away. */
  session_nonce: string | null;
  seen_at: number | null;
  firmware: string | null;
  /** Every event up to this one is committed. */
  event_sequence: number;
}

/** Where its technician's page is on the network of its site, by its own word. */
export interface TechnicianPageRow {
  device_id: string;
  organization_id: string;
  name: string;
  url: string;
  address: string;
  fingerprint: string;
}

/** What a controller serves, by its own word. */
export interface DeviceSyncRow {
  device_id: string;
  organization_id: string;
  revision: number;
  digest: string;
  digest_key_id: string;
  /** What the slice was made of, so that a delta can be told from it: see `slice-scope`. */
  scope: string;
  served_at: number;
}

/** An edit at the door that met another one at the desk: kept until a person has looked at it. */
export interface RuleConflictRow {
  id: string;
  device_id: string;
  organization_id: string;
  edited_at: number;
  base_revision: number | null;
  pass_id: string | null;
  input_rules: string;
  recorded_at: number;
}

/** Changes up to this revision are no longer kept: whoever is behind it gets everything anew. */
export interface ChangeHorizonRow {
  organization_id: string;
  revision: number;
}
