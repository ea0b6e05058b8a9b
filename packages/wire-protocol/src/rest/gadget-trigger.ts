import { LONGEST_PART_ID } from '@lintel/access-core/part-id';
import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { openEnum } from '../schema-parts/open-enum.ts';
import { plainText } from '../schema-parts/plain-text.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { metadata, metadataCreate, metadataPatch } from './metadata.ts';

export const gadgetTriggerAnswer = tolerantObject({
  id: idOf('gadget_trigger'),
  organization_id: idOf('organization'),
  site_id: idOf('site'),
  source_type: openEnum(['state', 'signal', 'schedule']),
  source_gadget_id: idOf('gadget').nullable(),
  source_state_id: z.string().nullable(),
  source_signal_id: z.string().nullable(),
  source_schedule_id: idOf('schedule').nullable(),
  source_schedule_event: openEnum(['enter', 'exit']).nullable(),
  target_gadget_id: idOf('gadget'),
  target_action_id: z.string(),
  is_deleted: z.boolean(),
  created_at: dateTime,
  metadata,
});
export type GadgetTriggerAnswer = z.infer<typeof gadgetTriggerAnswer>;

const partId = plainText(LONGEST_PART_ID, 1);

const definitionFields = {
  source_type: z.enum(['state', 'signal', 'schedule']),
  source_gadget_id: idOf('gadget').nullish(),
  source_state_id: partId.nullish(),
  source_signal_id: partId.nullish(),
  source_schedule_id: idOf('schedule').nullish(),
  source_schedule_event: z.enum(['enter', 'exit']).nullish(),
  target_gadget_id: idOf('gadget'),
  target_action_id: partId,
};

/** The form only: which source fields belong together is judged by `parseGadgetTrigger`, which knows the gadgets. */
export const gadgetTriggerCreate = z.strictObject({
  ...definitionFields,
  metadata: metadataCreate,
});
export type GadgetTriggerCreate = z.infer<typeof gadgetTriggerCreate>;

export const gadgetTriggerEdit = z.strictObject({
  ...z.object(definitionFields).partial().shape,
  metadata: metadataPatch.optional(),
});
export type GadgetTriggerEdit = z.infer<typeof gadgetTriggerEdit>;
