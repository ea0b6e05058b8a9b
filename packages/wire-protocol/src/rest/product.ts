import * as z from 'zod';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** Product ids are plain strings, without a prefix. */
export const productResponseSchema = tolerantObjectSchema({
  id: z.string().describe('Id of the product. Not for display'),
  name: z.string().describe('Name to show to people'),
}).describe('A model of devices');
export type ProductResponse = z.infer<typeof productResponseSchema>;
