import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema, plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { createdAtSchema, isDeletedSchema } from './common-fields.ts';
import { createAtLeastOneFieldCheck } from './field-choice-checks.ts';
import { metadataSchema, metadataCreateSchema, metadataPatchSchema } from './metadata-and-tags.ts';
import { stableCardUidSchema } from './card-uid.ts';

export const cardPrintedCodeSchema = plainTextSchema(64, 1);

export const cardResponseSchema = tolerantObjectSchema({
  id: idSchema('card'),
  organization_id: idSchema('organization'),
  name: z.string().describe('Name of the card in the organization'),
  uid: z.string().nullable().describe('ISO 14443 UID of the card: 4, 7 or 10 bytes in hexadecimal. Null if not known'),
  printed_code: z.string().nullable().describe('Code printed on the card. Null if not known'),
  is_deleted: isDeletedSchema,
  created_at: createdAtSchema,
  metadata: metadataSchema,
}).describe('A physical card of the organization. Members hold it through member cards');

export const createCardRequestSchema = createPostBodySchema({
  id: idSchema('card')
    .optional()
    .describe('Id of a card that is in the stock and not assigned to an organization: crd_ and an opaque suffix'),
  printed_code: cardPrintedCodeSchema.optional().describe('Unique code printed on the card, 1 to 64 characters'),
  uid: stableCardUidSchema.optional(),
  name: nameTextSchema().default('').describe('Name of the card, at most 200 characters'),
  metadata: metadataCreateSchema,
}).check(createAtLeastOneFieldCheck('id', 'printed_code', 'uid'));
export type CreateCardRequest = z.infer<typeof createCardRequestSchema>;

export const editCardRequestSchema = z.strictObject({
  name: nameTextSchema().optional().describe('Name of the card, at most 200 characters'),
  metadata: metadataPatchSchema.optional(),
});
export type EditCardRequest = z.infer<typeof editCardRequestSchema>;
