/** The words by which members are found, see `search-terms.ts`. */
export interface MemberSearchTermRow {
  organization_id: string;
  term: string;
  member_id: string;
}

/** Openings and denials of a gadget in one hour. */
export interface ActivityCountRow {
  organization_id: string;
  /** The start of the hour, in milliseconds. */
  hour: number;
  gadget_id: string;
  verb: string;
  count: number;
}
