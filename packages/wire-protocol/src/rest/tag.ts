import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema, plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { createdAtSchema, isDeletedSchema } from './common-fields.ts';
import { metadataSchema, metadataCreateSchema, metadataPatchSchema } from './metadata-and-tags.ts';

export const tagResponseSchema = tolerantObjectSchema({
  id: idSchema('tag'),
  organization_id: idSchema('organization'),
  name: z.string().describe('Name of the tag'),
  color: z.string().nullable().describe('Color in the console. Null: not set'),
  is_deleted: isDeletedSchema,
  created_at: createdAtSchema,
  metadata: metadataSchema,
}).describe('A label for members, groups, sites, devices and gadgets');
export type TagResponse = z.infer<typeof tagResponseSchema>;

const color = plainTextSchema(64).nullable();

export const createTagRequestSchema = createPostBodySchema({
  name: nameTextSchema(1).describe('Name of the tag, 1 to 200 characters'),
  color: color
    .default(null)
    .describe('Color in the console: any text of at most 64 characters, such as #1f6feb. Null: not set'),
  metadata: metadataCreateSchema,
});
export type CreateTagRequest = z.infer<typeof createTagRequestSchema>;

export const editTagRequestSchema = z.strictObject({
  name: nameTextSchema(1).optional().describe('Name of the tag, 1 to 200 characters'),
  color: color
    .optional()
    .describe('Color in the console: any text of at most 64 characters, such as #1f6feb. Null: not set'),
  metadata: metadataPatchSchema.optional(),
});
export type EditTagRequest = z.infer<typeof editTagRequestSchema>;
