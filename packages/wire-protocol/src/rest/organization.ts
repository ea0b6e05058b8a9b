import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { metadataSchema } from './metadata-and-tags.ts';

export const organizationResponseSchema = tolerantObjectSchema({
  id: idSchema('organization'),
  name: z.string(),
  is_deleted: z.boolean(),
  created_at: dateTimeSchema,
  metadata: metadataSchema,
});
