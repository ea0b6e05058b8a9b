import type { NamedPart, PlaceInProfile } from '../bus-parts.ts';
import type { ProfileFields } from '../profile-fields.ts';

export type Refuse = (at: PlaceInProfile, message: string) => void;

/** Looks at how the pieces of a profile fit together, and names the place of what does not. */
export type Check = (profile: ProfileFields, refuse: Refuse) => void;

export const namesOf = (parts: readonly NamedPart[]): ReadonlySet<string> => new Set(parts.map(({ name }) => name));
