import type { Updates, UpdatesParts } from './open-updates.ts';

/** Null for a program that nobody could start again in another version; for the others it is loaded. */
export const updatesOf = async (parts: UpdatesParts): Promise<Updates | null> => {
  if (parts.env['LINTEL_RELEASES'] === undefined) return null;
  const { Updates } = await import('./open-updates.ts');
  return new Updates(parts);
};
