import * as z from 'zod';

/** Known values are listed for the reader's sake; a newer sender's value passes too. */
export const openEnum = <const V extends string>(known: readonly V[]): z.ZodType<V | (string & {}), string> =>
  z.union([z.enum(known), z.string()]);
