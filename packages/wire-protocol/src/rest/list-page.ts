import * as z from 'zod';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** `cursor_next` is present only if `has_next` is true. */
export const listPageSchema = <S extends z.ZodType>(item: S) =>
  tolerantObjectSchema({ data: z.array(item), has_next: z.boolean(), cursor_next: z.string().optional() });

/** As the schema above describes it. */
export interface ListPageResponse<T> {
  readonly data: readonly T[];
  readonly has_next: boolean;
  readonly cursor_next?: string;
}
