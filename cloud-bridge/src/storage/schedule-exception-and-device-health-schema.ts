/** The times of a schedule on one date. */
export interface ScheduleExceptionRow {
  schedule_id: string;
  /** `2026-12-25`. */
  date: string;
  organization_id: string;
  name: string;
  /** JSON. */
  ranges: string;
  /** JSON of the times of the weekday that the schedule has outside the exception; null unless it is applied. */
  replaced_ranges: string | null;
}

/** What a device reported from `at` on. */
interface DeviceHealthRow {
  device_id: string;
  at: number;
  organization_id: string;
  /** JSON. */
  record: string;
}

export interface ScheduleAndHealthTables {
  schedule_exceptions: ScheduleExceptionRow;
  device_health: DeviceHealthRow;
}
