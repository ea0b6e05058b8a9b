import * as z from 'zod';

/**
 * Documents the known values but accepts any string, because a newer sender may know more. The title is the name of the
 * list in the generated documentation, instead of the name of the field.
 */
export const openEnumSchema = <const V extends string>(
  known: readonly V[],
  title?: string,
): z.ZodType<V | (string & {}), string> =>
  z.string().meta({ enum: [...known], ...(title === undefined ? {} : { title }) });
