import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema, plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { metadataSchema, metadataCreateSchema, metadataPatchSchema } from './metadata-and-tags.ts';

export const tagResponseSchema = tolerantObjectSchema({
  id: idSchema('tag'),
  organization_id: idSchema('organization'),
  name: z.string(),
  color: z.string().nullable(),
  is_deleted: z.boolean(),
  created_at: dateTimeSchema,
  metadata: metadataSchema,
});
export type TagResponse = z.infer<typeof tagResponseSchema>;

const color = plainTextSchema(64).nullable();

export const createTagRequestSchema = createPostBodySchema({
  name: nameTextSchema(1),
  color: color.default(null),
  metadata: metadataCreateSchema,
});
export type CreateTagRequest = z.infer<typeof createTagRequestSchema>;

export const editTagRequestSchema = z.strictObject({
  name: nameTextSchema(1).optional(),
  color: color.optional(),
  metadata: metadataPatchSchema.optional(),
});
export type EditTagRequest = z.infer<typeof editTagRequestSchema>;
