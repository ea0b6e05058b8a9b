import { MAX_GADGET_PART_ID_LENGTH } from '@lintel/access-core/max-gadget-part-id-length';
import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { metadataSchema, metadataCreateSchema, metadataPatchSchema } from './metadata-and-tags.ts';

export const gadgetTriggerResponseSchema = tolerantObjectSchema({
  id: idSchema('gadget_trigger'),
  organization_id: idSchema('organization'),
  site_id: idSchema('site'),
  source_type: openEnumSchema(['state', 'signal', 'schedule']),
  source_gadget_id: idSchema('gadget').nullable(),
  source_state_id: z.string().nullable(),
  source_signal_id: z.string().nullable(),
  source_schedule_id: idSchema('schedule').nullable(),
  source_schedule_event: openEnumSchema(['enter', 'exit']).nullable(),
  target_gadget_id: idSchema('gadget'),
  target_action_id: z.string(),
  is_deleted: z.boolean(),
  created_at: dateTimeSchema,
  metadata: metadataSchema,
});
export type GadgetTriggerResponse = z.infer<typeof gadgetTriggerResponseSchema>;

const partId = plainTextSchema(MAX_GADGET_PART_ID_LENGTH, 1);

const definitionFields = {
  source_type: z.enum(['state', 'signal', 'schedule']),
  source_gadget_id: idSchema('gadget').nullish(),
  source_state_id: partId.nullish(),
  source_signal_id: partId.nullish(),
  source_schedule_id: idSchema('schedule').nullish(),
  source_schedule_event: z.enum(['enter', 'exit']).nullish(),
  target_gadget_id: idSchema('gadget'),
  target_action_id: partId,
};

/** Checks the format only: `parseTriggerDefinition`, which knows the gadgets, checks the combination of source fields. */
export const createGadgetTriggerRequestSchema = createPostBodySchema({
  ...definitionFields,
  metadata: metadataCreateSchema,
});
export type CreateGadgetTriggerRequest = z.infer<typeof createGadgetTriggerRequestSchema>;

export const editGadgetTriggerRequestSchema = z.strictObject({
  ...z.object(definitionFields).partial().shape,
  metadata: metadataPatchSchema.optional(),
});
export type EditGadgetTriggerRequest = z.infer<typeof editGadgetTriggerRequestSchema>;
