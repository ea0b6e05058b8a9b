/** For whom something is read: what the viewer may not see is not there. */
export interface Viewer {
  readonly organizationId: string;
  /** Null for the administration, which sees no application's webhooks. */
  readonly applicationId: string | null;
  /** The sites beyond which there is nothing, for a technician; null or absent for everybody else. */
  readonly siteIds?: readonly string[] | null;
}
