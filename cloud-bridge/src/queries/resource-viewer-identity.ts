/** Identity for reads. Objects that it may not see are treated as missing. */
export interface ResourceViewer {
  readonly organizationId: string;
  /** Null for signed-in users. */
  readonly applicationId: string | null;
  /** The application whose webhooks it sees, if it is not `applicationId`. */
  readonly managedApplicationId?: string;
  /** Limits a technician to these sites; null or absent for all other roles. */
  readonly siteIds?: readonly string[] | null;
}
