import { MAX_GADGET_PART_ID_LENGTH } from '@lintel/access-core/max-gadget-part-id-length';
import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { createFieldsCheck } from '../schema-parts/fields-check.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema, plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { createdAtSchema, isDeletedSchema } from './common-fields.ts';
import {
  metadataSchema,
  tagIdsSchema,
  metadataAndTagCreateFields,
  metadataAndTagEditFields,
} from './metadata-and-tags.ts';

const named = tolerantObjectSchema({
  id: z.string().describe('Id, unique in the list of the gadget, such as open'),
  name: z.string().describe('Name to show to people'),
}).describe('An action, a state or a signal of a gadget');

export const gadgetResponseSchema = tolerantObjectSchema({
  id: idSchema('gadget'),
  organization_id: idSchema('organization'),
  site_id: idSchema('site'),
  device_id: idSchema('device'),
  name: z.string().describe('Name of the gadget'),
  actions: z.array(named).describe('What the gadget can do, such as open, raise, lower, on, off, up, down, stop'),
  states: z.array(named).describe('States that the gadget can be in'),
  signals: z.array(named).describe('Signals that the gadget can send'),
  state_id: z.string().nullable().describe('Id of the current state, as reported. Null if not known'),
  tag_ids: tagIdsSchema,
  is_deleted: isDeletedSchema,
  created_at: createdAtSchema,
  metadata: metadataSchema,
}).describe('A thing that is opened or switched, such as a door, a light or a locker. It belongs to a device');
export type GadgetResponse = z.infer<typeof gadgetResponseSchema>;

/** Part of a URL (`/actions/open`), so only characters that need no escaping. */
const partId = z.string().regex(new RegExp(`^[A-Za-z0-9_.-]{1,${MAX_GADGET_PART_ID_LENGTH}}$`), {
  error: `must be 1 to ${MAX_GADGET_PART_ID_LENGTH} letters, digits, underscores, dots or hyphens`,
});

const MOST_PARTS = 64;

const parts = z
  .array(
    z
      .strictObject({
        id: partId.describe(`Id: 1 to ${MAX_GADGET_PART_ID_LENGTH} letters, digits, underscores, dots or hyphens`),
        name: nameTextSchema().describe('Name to show to people, at most 200 characters'),
      })
      .meta({ title: 'gadget_part_input', description: 'An action, a state or a signal of a gadget' }),
  )
  .max(MOST_PARTS)
  .check(({ value, issues }) => {
    for (const [index, { id }] of value.entries()) {
      if (value.findIndex(part => part.id === id) === index) continue;
      issues.push({
        code: 'custom',
        input: id,
        path: [index, 'id'],
        message: 'must differ from the other ids of the list',
      });
    }
  });

export const NOT_A_STATE = "must be the id of one of the 'states'";

/** Definition of a gadget; admin API only. */
export const createGadgetRequestSchema = createPostBodySchema({
  name: nameTextSchema(1).describe('Name of the gadget, 1 to 200 characters'),
  actions: parts.default([]).describe('Actions, at most 64. Ids must differ'),
  states: parts.default([]).describe('States, at most 64. Ids must differ'),
  signals: parts.default([]).describe('Signals, at most 64. Ids must differ'),
  state_id: plainTextSchema(MAX_GADGET_PART_ID_LENGTH)
    .nullish()
    .describe('Id of the current state of a virtual gadget, one of states. Null: not known'),
  ...metadataAndTagCreateFields,
}).check(
  createFieldsCheck<{ states: readonly { readonly id: string }[]; state_id?: string | null | undefined }>(
    ['states', 'state_id'],
    ({ value: { states, state_id }, issues }) => {
      if (state_id == null || states.some(({ id }) => id === state_id)) return;
      issues.push({ code: 'custom', input: state_id, path: ['state_id'], message: NOT_A_STATE });
    },
  ),
);
export type CreateGadgetRequest = z.input<typeof createGadgetRequestSchema>;

export const editGadgetRequestSchema = z.strictObject({
  name: nameTextSchema(1).optional().describe('Name of the gadget, 1 to 200 characters'),
  actions: parts.optional().describe('Actions, at most 64. Ids must differ'),
  states: parts.optional().describe('States, at most 64. Ids must differ'),
  signals: parts.optional().describe('Signals, at most 64. Ids must differ'),
  state_id: plainTextSchema(MAX_GADGET_PART_ID_LENGTH)
    .nullish()
    .describe('Id of the current state of a virtual gadget, one of states. Null: not known'),
  ...metadataAndTagEditFields,
});
export type EditGadgetRequest = z.input<typeof editGadgetRequestSchema>;

/** `accuracy` is recorded but not checked. */
export const phoneLocationSchema = z
  .strictObject({
    lat: z.number().min(-90).max(90).describe('Latitude, -90 to 90 degrees'),
    lng: z.number().min(-180).max(180).describe('Longitude, -180 to 180 degrees'),
    accuracy: z.number().min(0).nullish().describe('Accuracy of the location, in meters. Recorded, not checked'),
  })
  .meta({ title: 'phone_location', description: 'Location of a phone' });

export const executeActionAsMemberRequestSchema = z.strictObject({
  member_id: idSchema('member').describe('Id of the member with whose permissions the action is performed'),
  location: phoneLocationSchema
    .nullish()
    .describe("Location of the member's phone. Required by rules with presence gps"),
});
