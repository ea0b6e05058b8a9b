/** How many days an organization keeps its records. Null in all columns: the setting of the installation. */
export interface OrganizationRetentionRow {
  organization_id: string;
  /** Chosen by the owner. Null: as long as the limit permits. */
  event_days: number | null;
  delivery_days: number | null;
  /** Set by the operator for this organization. Null: the option of the bridge. 0: no limit. */
  event_limit_days: number | null;
  delivery_limit_days: number | null;
}

/** A task that only one of several bridges runs at a time. */
interface TaskLeaseRow {
  name: string;
  owner: string;
  lease_until: number;
}

/** When the clock was known to be right: of the bridge, or confirmed by an administrator of an organization. */
interface ClockReadingRow {
  /** `bridge`, or the id of an organization. */
  name: string;
  at: number;
}

export interface RetentionTables {
  clock_readings: ClockReadingRow;
  organization_retention: OrganizationRetentionRow;
  task_leases: TaskLeaseRow;
}
