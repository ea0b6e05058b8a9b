import { compareReleaseVersions } from './release-version.ts';
import type { ReleaseManifest } from './release-manifest.ts';

/** Why a release is rejected. */
export type ReleaseRejectionCode =
  | 'not_a_release'
  | 'truncated'
  | 'damaged'
  | 'unsafe_path'
  | 'unknown_key'
  | 'bad_signature'
  | 'wrong_program'
  | 'wrong_arch'
  | 'downgrade'
  | 'too_old'
  | 'no_room'
  | 'not_ordered';

export interface UpdateTargetMachine {
  readonly program: string;
  readonly arch: string;
  /** The running version. */
  readonly version: string;
  /** The oldest version allowed, unless the release is signed as a downgrade. */
  readonly floor: string;
}

export interface ReleaseRejection {
  readonly code: ReleaseRejectionCode;
  readonly message: string;
}

/** Why a correctly signed release is rejected; null if it is accepted. */
export const findReleaseRejection = (
  manifest: ReleaseManifest,
  machine: UpdateTargetMachine,
): ReleaseRejection | null => {
  const { program, arch, version, minimum_version, allow_downgrade } = manifest;
  if (program !== machine.program)
    return { code: 'wrong_program', message: `The release is for ${program}, but this is ${machine.program}` };
  if (arch !== 'all' && arch !== machine.arch)
    return { code: 'wrong_arch', message: `The release is for ${arch}, but this machine is ${machine.arch}` };
  if (minimum_version !== null && compareReleaseVersions(machine.version, minimum_version) < 0)
    return {
      code: 'too_old',
      message: `${version} requires ${minimum_version} or later, but ${machine.version} is running. Update to ${minimum_version} first`,
    };
  if (!allow_downgrade && compareReleaseVersions(version, machine.floor) < 0)
    return {
      code: 'downgrade',
      message: `${version} is older than ${machine.floor} and is not signed as a downgrade`,
    };
  return null;
};
