import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema, plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { createAtLeastOneFieldCheck } from './field-choice-checks.ts';
import { metadataSchema, metadataCreateSchema, metadataPatchSchema } from './metadata-and-tags.ts';
import { stableCardUidSchema } from './card-uid.ts';

export const cardPrintedCodeSchema = plainTextSchema(64, 1);

export const cardResponseSchema = tolerantObjectSchema({
  id: idSchema('card'),
  organization_id: idSchema('organization'),
  name: z.string(),
  uid: z.string().nullable(),
  printed_code: z.string().nullable(),
  is_deleted: z.boolean(),
  created_at: dateTimeSchema,
  metadata: metadataSchema,
});

export const createCardRequestSchema = createPostBodySchema({
  id: idSchema('card').optional(),
  printed_code: cardPrintedCodeSchema.optional(),
  uid: stableCardUidSchema.optional(),
  name: nameTextSchema().default(''),
  metadata: metadataCreateSchema,
}).check(createAtLeastOneFieldCheck('id', 'printed_code', 'uid'));
export type CreateCardRequest = z.infer<typeof createCardRequestSchema>;

export const editCardRequestSchema = z.strictObject({
  name: nameTextSchema().optional(),
  metadata: metadataPatchSchema.optional(),
});
export type EditCardRequest = z.infer<typeof editCardRequestSchema>;
