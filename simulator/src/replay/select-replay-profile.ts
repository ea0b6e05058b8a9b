import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { checkProfile, type Profile } from '@lintel/hardware-profiles/check-profile';
import type { ParsedSupportBundle } from './read-support-bundle.ts';

/** The profile in the bundle, or the shipped profile of the same product if the former is invalid. */
export const selectReplayProfile = ({
  bundle,
}: Pick<ParsedSupportBundle, 'bundle'>): { readonly profile: Profile | null; readonly isShipped: boolean } => {
  const checked = checkProfile(bundle.profile);
  if (checked.ok) return { profile: checked.profile, isShipped: false };
  const shipped = loadProfiles().find(({ product_id }) => product_id === bundle.status.product_id);
  return { profile: shipped ?? null, isShipped: shipped !== undefined };
};
