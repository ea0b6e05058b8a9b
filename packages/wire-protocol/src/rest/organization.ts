import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { createdAtSchema, isDeletedSchema } from './common-fields.ts';
import { metadataSchema } from './metadata-and-tags.ts';

export const organizationResponseSchema = tolerantObjectSchema({
  id: idSchema('organization'),
  name: z.string().describe('Name of the organization'),
  is_deleted: isDeletedSchema,
  created_at: createdAtSchema,
  metadata: metadataSchema,
}).describe('The organization to which all objects belong');
