/** A release that may be rolled out. Its bytes are in a file that is named by their digest. */
export interface ReleaseRow {
  id: string;
  organization_id: string;
  program: string;
  version: string;
  arch: string;
  size: number;
  sha256: string;
  /** Of the key that has signed it. */
  key_id: string;
  minimum_version: string | null;
  allow_downgrade: 0 | 1;
  /** When it was made, by the word of whoever signed it. */
  made_at: number;
  created_at: number;
  is_deleted: 0 | 1;
}

/** One release on its way to many controllers. */
export interface RolloutRow {
  id: string;
  organization_id: string;
  release_id: string;
  state: string;
  /** Why it does not go on. */
  reason: string | null;
  /** In JSON: how many devices each stage has, and how long it is looked at before the next. */
  stages: string;
  /** The stage that is under way, from 0. */
  stage: number;
  /** Since when nothing is left to do in it. */
  stage_passed_at: number | null;
  halt_after_failures: number;
  /** Failures that somebody has seen and gone on. */
  forgiven_failures: number;
  /** Bytes a second for each device. */
  rate: number;
  switch_within_s: number;
  created_at: number;
  finished_at: number | null;
}

export interface RolloutDeviceRow {
  rollout_id: string;
  device_id: string;
  organization_id: string;
  stage: number;
  state: string;
  percent: number | null;
  reason: string | null;
  /** What ran before, and what runs by the last word of the controller. */
  from_version: string | null;
  running_version: string | null;
  told_at: number | null;
  updated_at: number;
}
