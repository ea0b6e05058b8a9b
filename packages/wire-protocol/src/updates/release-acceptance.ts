import { compareVersions } from './compare-versions.ts';
import type { ReleaseManifest } from './release-manifest.ts';

/** Why a release is not taken. */
export type ReleaseRefusal =
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

export interface Machine {
  readonly program: string;
  readonly arch: string;
  /** What runs there. */
  readonly version: string;
  /** Nothing older than this, unless it was signed for that. */
  readonly floor: string;
}

export interface Refusal {
  readonly code: ReleaseRefusal;
  readonly message: string;
}

/** What speaks against a release whose signature is good; null: nothing. */
export const refusalFor = (manifest: ReleaseManifest, machine: Machine): Refusal | null => {
  const { program, arch, version, minimum_version, allow_downgrade } = manifest;
  if (program !== machine.program)
    return { code: 'wrong_program', message: `it is a release for a ${program}, and this is a ${machine.program}` };
  if (arch !== 'all' && arch !== machine.arch)
    return { code: 'wrong_arch', message: `it is made for ${arch}, and this machine is ${machine.arch}` };
  if (minimum_version !== null && compareVersions(machine.version, minimum_version) < 0)
    return {
      code: 'too_old',
      message: `${version} needs ${minimum_version} or later, and ${machine.version} runs here: update to that first`,
    };
  if (!allow_downgrade && compareVersions(version, machine.floor) < 0)
    return {
      code: 'downgrade',
      message: `${version} is older than ${machine.floor}, and it is not signed for going back`,
    };
  return null;
};
