import * as z from 'zod';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

/** Product ids are plain strings, without a prefix. */
export const productResponse = tolerantObject({ id: z.string(), name: z.string() });
export type ProductResponse = z.infer<typeof productResponse>;
