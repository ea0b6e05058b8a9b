import { mustBeStorableText } from '@lintel/access-core/problem-texts';
import * as z from 'zod';

/** A database would change or reject NUL and unpaired surrogates. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');

export const plainTextSchema = (longest: number, shortest = 0): z.ZodString =>
  (shortest === 0 ? z.string() : z.string().min(shortest))
    .max(longest)
    .refine(isStorableText, { error: mustBeStorableText });

export const nameTextSchema = (shortest = 0): z.ZodString => plainTextSchema(200, shortest);
