/** Without accents and case, as the search of the bridge compares. */
const normalize = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Whether each searched word begins a word of the name. */
export const matchesSearch = (name: string, search: string): boolean => {
  const words = normalize(name).split(/[^\p{L}\p{N}]+/u);
  const searched = normalize(search)
    .split(/\s+/)
    .filter(word => word !== '');
  return searched.every(part => words.some(word => word.startsWith(part)));
};
