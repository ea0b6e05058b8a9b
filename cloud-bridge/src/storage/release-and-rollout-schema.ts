/** A release for roll-outs. Its archive is a file named by the digest. */
export interface ReleaseRow {
  id: string;
  organization_id: string;
  program: string;
  version: string;
  arch: string;
  size: number;
  sha256: string;
  /** Id of the signing key. */
  key_id: string;
  minimum_version: string | null;
  allow_downgrade: 0 | 1;
  /** Build time according to the signed manifest. */
  made_at: number;
  created_at: number;
  is_deleted: 0 | 1;
}

/** Roll-out of one release to many controllers. */
export interface RolloutRow {
  id: string;
  organization_id: string;
  release_id: string;
  state: string;
  /** Why it is halted. */
  reason: string | null;
  /** JSON: number of devices per stage and observation time before the next stage. */
  stages: string;
  /** Index of the current stage, from 0. */
  stage: number;
  /** Time when all devices of the stage were finished. */
  stage_passed_at: number | null;
  halt_after_failures: number;
  /** Failures before the last resume. They no longer halt the roll-out. */
  forgiven_failures: number;
  /** Bytes per second and device. */
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
  /** Version before the update, and the version last reported by the controller. */
  from_version: string | null;
  running_version: string | null;
  told_at: number | null;
  updated_at: number;
}
