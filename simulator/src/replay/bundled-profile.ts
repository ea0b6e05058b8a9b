import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { checkProfile, type Profile } from '@lintel/hardware-profiles/profile-schema';
import type { ReadBundle } from './bundle.ts';

/** The bundle's own profile, or else the one that is shipped under the same name. */
export const profileOf = ({
  bundle,
}: Pick<ReadBundle, 'bundle'>): { readonly profile: Profile | null; readonly isShipped: boolean } => {
  const checked = checkProfile(bundle.profile);
  if (checked.ok) return { profile: checked.profile, isShipped: false };
  const shipped = loadProfiles().find(({ product_id }) => product_id === bundle.status.product_id);
  return { profile: shipped ?? null, isShipped: shipped !== undefined };
};
