import * as z from 'zod';

/** Documents the known values but accepts any string, because a newer sender may know more. */
export const openEnumSchema = <const V extends string>(known: readonly V[]): z.ZodType<V | (string & {}), string> =>
  z.union([z.enum(known), z.string()]);
