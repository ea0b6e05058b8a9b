/** Identity for reads. Objects that the viewer may not see are treated as missing. */
export interface Viewer {
  readonly organizationId: string;
  /** Null for administrators, who cannot see the webhooks of applications. */
  readonly applicationId: string | null;
  /** Limits a technician to these sites; null or absent for all other roles. */
  readonly siteIds?: readonly string[] | null;
}
