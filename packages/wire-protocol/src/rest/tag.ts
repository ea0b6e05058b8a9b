import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema } from '../schema-parts/plain-text.ts';
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

const color = z
  .string()
  .max(64)
  .regex(/^(?:#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})|[A-Za-z]+)$/, { error: 'must be a color such as #1f6feb or red' })
  .nullable();

export const createTagRequestSchema = createPostBodySchema({
  name: nameTextSchema(1).describe('Name of the tag, 1 to 200 characters'),
  color: color
    .default(null)
    .describe(
      'Color in the console: 3 or 6 hexadecimal digits after #, such as #1f6feb, or a name such as red. Null: not set',
    ),
  metadata: metadataCreateSchema,
});
export type CreateTagRequest = z.infer<typeof createTagRequestSchema>;

export const editTagRequestSchema = z.strictObject({
  name: nameTextSchema(1).optional().describe('Name of the tag, 1 to 200 characters'),
  color: color
    .optional()
    .describe(
      'Color in the console: 3 or 6 hexadecimal digits after #, such as #1f6feb, or a name such as red. Null: not set',
    ),
  metadata: metadataPatchSchema.optional(),
});
export type EditTagRequest = z.infer<typeof editTagRequestSchema>;
