import * as z from 'zod';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** `cursor_next` is present only if `has_next` is true. */
export const listPageSchema = <S extends z.ZodType>(item: S) =>
  tolerantObjectSchema({
    data: z.array(item).describe('The objects of this page, newest first unless sort says otherwise'),
    has_next: z.boolean().describe('Whether more objects follow'),
    cursor_next: z
      .string()
      .optional()
      .describe('Value of the parameter cursor for the next page. Present only if has_next is true'),
  }).describe('One page of a list');

/** As the schema above describes it. */
export interface ListPageResponse<T> {
  readonly data: readonly T[];
  readonly has_next: boolean;
  readonly cursor_next?: string;
}
