/** The words by which members are found, see `search-terms.ts`. */
export interface MemberSearchTermRow {
  organization_id: string;
  term: string;
  member_id: string;
  /** Null in rows that a bridge of the previous version wrote. */
  member_created_at: number | null;
  /** Null in rows that a bridge of the previous version wrote. */
  member_name: string | null;
}

/** Openings and denials of a gadget in one hour. */
export interface GadgetHourlyActivityRow {
  organization_id: string;
  /** The start of the hour, in milliseconds. */
  hour: number;
  gadget_id: string;
  verb: string;
  count: number;
}
