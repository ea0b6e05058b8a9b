import { MAX_GADGET_PART_ID_LENGTH } from '@lintel/access-core/max-gadget-part-id-length';
import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { createdAtSchema, isDeletedSchema } from './common-fields.ts';
import { metadataSchema, metadataCreateSchema, metadataPatchSchema } from './metadata-and-tags.ts';

export const gadgetTriggerResponseSchema = tolerantObjectSchema({
  id: idSchema('gadget_trigger'),
  organization_id: idSchema('organization'),
  site_id: idSchema('site').describe('Id of the site of both gadgets: site_ and an opaque suffix'),
  source_type: openEnumSchema(['state', 'signal', 'schedule']).describe(
    'Whether the trigger follows a state of a gadget, a signal of a gadget, or a schedule',
  ),
  source_gadget_id: idSchema('gadget')
    .nullable()
    .describe('Id of the gadget whose state or signal is followed. Null if source_type is schedule'),
  source_state_id: z
    .string()
    .nullable()
    .describe('Id of a state of the source gadget. Null unless source_type is state'),
  source_signal_id: z
    .string()
    .nullable()
    .describe('Id of a signal of the source gadget. Null unless source_type is signal'),
  source_schedule_id: idSchema('schedule')
    .nullable()
    .describe('Id of the schedule that is followed. Null unless source_type is schedule'),
  source_schedule_event: openEnumSchema(['enter', 'exit'])
    .nullable()
    .describe('enter: a range of the schedule begins. exit: a range ends. Null unless source_type is schedule'),
  target_gadget_id: idSchema('gadget').describe(
    'Id of the gadget that is operated. A source gadget must be in the same site, with a local path between both',
  ),
  target_action_id: z.string().describe('Id of the action of the target gadget'),
  is_deleted: isDeletedSchema,
  created_at: createdAtSchema,
  metadata: metadataSchema,
}).describe(
  'Operates a gadget when another one changes its state or sends a signal, or when a schedule begins or ends',
);
export type GadgetTriggerResponse = z.infer<typeof gadgetTriggerResponseSchema>;

const partId = plainTextSchema(MAX_GADGET_PART_ID_LENGTH, 1);

const definitionFields = {
  source_type: z
    .enum(['state', 'signal', 'schedule'])
    .describe('Whether the trigger follows a state of a gadget, a signal of a gadget, or a schedule'),
  source_gadget_id: idSchema('gadget')
    .nullish()
    .describe('Id of the gadget whose state or signal is followed. Null if source_type is schedule'),
  source_state_id: partId.nullish().describe('Id of a state of the source gadget. Null unless source_type is state'),
  source_signal_id: partId.nullish().describe('Id of a signal of the source gadget. Null unless source_type is signal'),
  source_schedule_id: idSchema('schedule')
    .nullish()
    .describe('Id of the schedule that is followed. Null unless source_type is schedule'),
  source_schedule_event: z
    .enum(['enter', 'exit'])
    .nullish()
    .describe('enter: a range of the schedule begins. exit: a range ends. Null unless source_type is schedule'),
  target_gadget_id: idSchema('gadget').describe(
    'Id of the gadget that is operated. A source gadget must be in the same site, with a local path between both',
  ),
  target_action_id: partId.describe('Id of the action of the target gadget'),
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
