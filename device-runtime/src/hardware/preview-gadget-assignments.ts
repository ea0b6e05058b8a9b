import type { Profile } from '@lintel/hardware-profiles/check-profile';
import type { KeyValueStore } from '@lintel/service/data-folder/key-value-store-interface';
import { assignGadgetsToProfile, type GadgetToAssign, readGadgetAssignments } from './gadget-assignment.ts';
import { listAssignableProfileGadgets } from './open-hardware.ts';

/** The gadget of the profile that each gadget uses, by id; null if it has no hardware. */
export const previewGadgetAssignments = (
  profile: Profile,
  gadgets: readonly GadgetToAssign[],
  state: Pick<KeyValueStore<'gadget_places'>, 'read'>,
): ReadonlyMap<string, string | null> => {
  const places = listAssignableProfileGadgets(profile);
  const names = new Map(places.map(({ key, name }) => [key, name]));
  const without = profile.other_gadgets === 'simulated' ? 'simulated' : null;
  const assigned = assignGadgetsToProfile(places, gadgets, readGadgetAssignments(state));
  return new Map([...assigned].map(([id, key]) => [id, (key === null ? null : names.get(key)) ?? without]));
};
