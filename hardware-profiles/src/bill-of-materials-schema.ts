import * as z from 'zod';

/** Bill of materials. */
export const billOfMaterialsSchema = z
  .array(z.strictObject({ part: z.string().trim().min(1).max(200), count: z.int().min(1).max(100).default(1) }))
  .max(50)
  .default([]);
