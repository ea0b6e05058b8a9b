/** Certificate of a controller, with its own counter of downlink messages. */
export interface DeviceCertificateRow {
  /** Lower-case hex. */
  serial: string;
  device_id: string;
  organization_id: string;
  /** Ed25519, 32 bytes in base64url. */
  public_key: string;
  /** PEM, without the certificate of the authority. */
  certificate: string;
  hardware_id: string;
  /** The claim ticket it was issued for; null after a renewal. */
  claim_ticket_id: string | null;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
  /** Counter of the newest downlink message signed for this certificate. */
  down_counter: number;
  /** Of a replaced controller: when it last tried to log in, at most once a day, and where it said it is. */
  replaced_login_at: number | null;
  replaced_login_address: string | null;
}

/** Connection state of a claimed controller. */
export interface DeviceLinkRow {
  device_id: string;
  organization_id: string;
  digest_key_id: string;
  sealed_digest_key: string;
  /** Serial of the certificate it last connected with. */
  serial: string;
  /** Nonce of the current session; null while offline. */
  session_nonce: string | null;
  /** When it connected last. */
  seen_at: number | null;
  /** Null while it is online, and before its first connection. */
  offline_since: number | null;
  firmware: string | null;
  /** Highest sequence number of a committed event. */
  event_sequence: number;
  /** JSON of the sequence numbers that have arrived, by epoch; see ReceivedEventNumbers. */
  received_events: string;
  /** Of the newest accepted hello. Messages of its session have higher counters. */
  hello_counter: number;
  /** 1: this bridge has lost data and sends nothing that adds access until the controller has sent its revocations. */
  awaits_revocations: number;
  /** 0: its snapshot contains no members until an administrator confirms it. */
  is_confirmed: number;
  /** The ticket that it was claimed with; null if it was claimed by an older version. */
  claim_ticket_id: string | null;
  /** When it was reported as stolen. */
  stolen_at: number | null;
}

/** An event whose id was already taken by an event of another device. */
export interface ReassignedEventIdRow {
  device_id: string;
  event_id: string;
  stored_id: string;
}

/** The newest accepted message of a kind that changes data. */
export interface UplinkCounterRow {
  device_id: string;
  kind: string;
  counter: number;
}

/** Local address of a technician page, as reported by the controller. */
export interface TechnicianPageRow {
  device_id: string;
  organization_id: string;
  name: string;
  url: string;
  address: string;
  fingerprint: string;
}

/** The access snapshot that a controller serves, as reported by it. */
export interface DeviceSyncRow {
  device_id: string;
  organization_id: string;
  revision: number;
  digest: string;
  digest_key_id: string;
  /** Scope of the snapshot, from which deltas are computed. */
  scope: string;
  served_at: number;
}

/** When the controller first reported that it serves this revision. Kept for two days. */
export interface ServedRevisionRow {
  device_id: string;
  organization_id: string;
  revision: number;
  served_at: number;
}

/** A member group that was in a snapshot of the controller. Rows are kept, because events arrive late. */
export interface DeviceMemberGroupRow {
  device_id: string;
  organization_id: string;
  member_group_id: string;
}

/** Input rules from the controller that conflict with an edit in the bridge, until an administrator resolves it. */
export interface InputRuleConflictRow {
  id: string;
  device_id: string;
  organization_id: string;
  edited_at: number;
  base_revision: number | null;
  pass_id: string | null;
  input_rules: string;
  recorded_at: number;
}

/** Changes up to this revision are deleted. A controller with an older revision receives a full snapshot. */
export interface DeletedAccessChangesRow {
  organization_id: string;
  revision: number;
}

/** Progress of a virtual gadget, which exists only in the bridge. */
export interface VirtualGadgetRow {
  gadget_id: string;
  organization_id: string;
  /** JSON: the state machine of a door or blind; null if the gadget has none. */
  machine: string | null;
  /** When the machine changes its state by itself. */
  due_at: number | null;
  /** Depth in the chain of triggers that moved the gadget, and until when later reports belong to this chain. */
  chain_depth: number;
  chain_until: number;
}
