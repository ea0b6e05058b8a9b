import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { checkProfile, type Profile, type ProfileProblem } from '@lintel/hardware-profiles/profile-schema';
import type { ProfileChoice } from '@lintel/wire-protocol/technician/doctor';

/** How a technician puts another profile in place of the one that runs. */
export interface ProfileSelection {
  /** The command line names the profile: it is not for the page to choose. */
  readonly isFixed: boolean;
  /** Kept over restarts. */
  keep(profile: Profile): void;
  /** The controller ends soon, and comes back with what is kept. */
  restart(): void;
}

export type Chosen =
  | { readonly ok: true; readonly profile: Profile }
  | { readonly ok: false; readonly problems: readonly ProfileProblem[] };

/** One that comes with Lintel, or one that the technician brings. */
export const chosenProfile = (choice: ProfileChoice, shipped: () => readonly Profile[] = loadProfiles): Chosen => {
  if ('name' in choice) {
    const profile = shipped().find(({ product_id }) => product_id === choice.name);
    if (profile !== undefined) return { ok: true, profile };
    return { ok: false, problems: [{ path: 'name', message: `there is no profile ${choice.name}` }] };
  }
  const checked = checkProfile(choice.profile);
  if (checked.ok) return checked;
  const problems = checked.problems.map(({ path, message }) => ({ path: `profile.${path}`, message }));
  return { ok: false, problems };
};
