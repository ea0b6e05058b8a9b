import { MAX_GADGET_PART_ID_LENGTH } from '@lintel/access-core/max-gadget-part-id-length';
import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema, plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import {
  metadataSchema,
  tagIdsSchema,
  metadataAndTagCreateFields,
  metadataAndTagEditFields,
} from './metadata-and-tags.ts';

const named = tolerantObjectSchema({ id: z.string(), name: z.string() });

export const gadgetResponseSchema = tolerantObjectSchema({
  id: idSchema('gadget'),
  organization_id: idSchema('organization'),
  site_id: idSchema('site'),
  device_id: idSchema('device'),
  name: z.string(),
  actions: z.array(named),
  states: z.array(named),
  signals: z.array(named),
  state_id: z.string().nullable(),
  tag_ids: tagIdsSchema,
  is_deleted: z.boolean(),
  created_at: dateTimeSchema,
  metadata: metadataSchema,
});
export type GadgetResponse = z.infer<typeof gadgetResponseSchema>;

/** Part of a URL (`/actions/open`), so only characters that need no escaping. */
const partId = z.string().regex(new RegExp(`^[A-Za-z0-9_.-]{1,${MAX_GADGET_PART_ID_LENGTH}}$`), {
  error: `must be 1 to ${MAX_GADGET_PART_ID_LENGTH} letters, digits, underscores, dots or hyphens`,
});

const MOST_PARTS = 64;

const parts = z
  .array(z.strictObject({ id: partId, name: nameTextSchema() }).meta({ title: 'gadget_part_input' }))
  .max(MOST_PARTS)
  .check(({ value, issues }) => {
    for (const [index, { id }] of value.entries()) {
      if (value.findIndex(part => part.id === id) === index) continue;
      issues.push({ code: 'custom', input: id, path: [index, 'id'], message: 'must differ from the others' });
    }
  });

/** Definition of a gadget; admin API only. */
export const createGadgetRequestSchema = createPostBodySchema({
  name: nameTextSchema(1),
  actions: parts.default([]),
  states: parts.default([]),
  signals: parts.default([]),
  state_id: plainTextSchema(MAX_GADGET_PART_ID_LENGTH).nullish(),
  ...metadataAndTagCreateFields,
}).check(({ value: { states, state_id }, issues }) => {
  if (state_id == null || states.some(({ id }) => id === state_id)) return;
  issues.push({ code: 'custom', input: state_id, path: ['state_id'], message: 'must be one of the states' });
});
export type CreateGadgetRequest = z.input<typeof createGadgetRequestSchema>;

export const editGadgetRequestSchema = z.strictObject({
  name: nameTextSchema(1).optional(),
  actions: parts.optional(),
  states: parts.optional(),
  signals: parts.optional(),
  state_id: plainTextSchema(MAX_GADGET_PART_ID_LENGTH).nullish(),
  ...metadataAndTagEditFields,
});
export type EditGadgetRequest = z.input<typeof editGadgetRequestSchema>;

/** `accuracy` is recorded but not checked. */
export const phoneLocationSchema = z
  .strictObject({
    lat: z.number().min(-90).max(90),
    lng: z.number().min(-180).max(180),
    accuracy: z.number().min(0).nullish(),
  })
  .meta({ title: 'phone_location' });

export const executeActionAsMemberRequestSchema = z.strictObject({
  member_id: idSchema('member'),
  location: phoneLocationSchema.nullish(),
});
