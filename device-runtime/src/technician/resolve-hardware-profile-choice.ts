import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { checkProfile, type Profile, type ProfileProblem } from '@lintel/hardware-profiles/check-profile';
import type { CheckHardwareProfileRequest } from '@lintel/wire-protocol/technician/hardware-detection-and-profile';

/** Replaces the running profile. */
export interface HardwareProfileSwitcher {
  /** The command line sets the profile, so the page cannot change it. */
  readonly isFixed: boolean;
  /** Survives restarts. */
  save(profile: Profile): void;
  /** Restarts the controller with the saved profile. */
  restart(): void;
}

export type HardwareProfileChoiceResult =
  | { readonly ok: true; readonly profile: Profile }
  | { readonly ok: false; readonly problems: readonly ProfileProblem[] };

/** Resolves a built-in profile by name, or checks a custom one. */
export const resolveHardwareProfileChoice = (choice: CheckHardwareProfileRequest): HardwareProfileChoiceResult => {
  if ('name' in choice) {
    const profile = loadProfiles().find(({ product_id }) => product_id === choice.name);
    if (profile !== undefined) return { ok: true, profile };
    return { ok: false, problems: [{ path: 'name', message: `is not a known profile: ${choice.name}` }] };
  }
  const checked = checkProfile(choice.profile);
  if (checked.ok) return checked;
  const problems = checked.problems.map(({ path, message }) => ({ path: `profile.${path}`, message }));
  return { ok: false, problems };
};
