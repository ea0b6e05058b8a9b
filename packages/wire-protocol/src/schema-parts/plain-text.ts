import * as z from 'zod';

/** A NUL or half a surrogate pair would come back changed from a database, or not at all. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');

export const plainText = (longest: number, shortest = 0): z.ZodString =>
  z.string().min(shortest).max(longest).refine(isStorable, { error: 'must be well-formed text without NUL' });

export const nameText = (shortest = 0): z.ZodString => plainText(200, shortest);
