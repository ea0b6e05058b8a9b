import * as z from 'zod';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** Product ids are plain strings, without a prefix. */
export const productResponseSchema = tolerantObjectSchema({ id: z.string(), name: z.string() });
export type ProductResponse = z.infer<typeof productResponseSchema>;
