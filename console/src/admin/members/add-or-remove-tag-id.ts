/** The tags of a member after a change that does not depend on its other tags. */
export type ChangeTags = (tagIds: readonly string[]) => readonly string[];

export const withTag =
  (id: string): ChangeTags =>
  tagIds =>
    tagIds.includes(id) ? tagIds : [...tagIds, id];

export const withoutTag =
  (id: string): ChangeTags =>
  tagIds =>
    tagIds.filter(one => one !== id);
