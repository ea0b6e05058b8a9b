/** A revocation that was sent to controllers. */
export interface SentRevocationRow {
  organization_id: string;
  counter: number;
  /** The encoded message. */
  body: string;
}

/** Acknowledged events of a controller that are missing, until the controller has sent the last of them again. */
export interface LostEventsRow {
  device_id: string;
  /** Sequence numbers. */
  first: number;
  last: number;
}

/** A problem that an administrator should know about. */
export interface IncidentRow {
  id: string;
  organization_id: string;
  kind: string;
  /** JSON of `IncidentDetails`. */
  details: string;
  created_at: number;
  updated_at: number;
  acknowledged_at: number | null;
  /** The user; null for an application. */
  acknowledged_by: string | null;
}

export interface RecoveryTables {
  sent_revocations: SentRevocationRow;
  lost_events: LostEventsRow;
  incidents: IncidentRow;
}
