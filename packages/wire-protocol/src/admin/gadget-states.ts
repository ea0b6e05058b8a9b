import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** Who unlocked a door. The name is null if the caller may not see it. */
const opener = tolerantObjectSchema({
  type: openEnumSchema(['member', 'user', 'oauth_application', 'schedule', 'gadget_trigger']).describe(
    'Kind of subject',
  ),
  name: z.string().nullable().describe('Its name. Null if the caller may not see it'),
}).describe('Who unlocked a door');

/** `stays` is true if the door stays unlocked until it is locked, false if it locks by itself. Null: not known. */
const unlocked = tolerantObjectSchema({
  since: dateTimeSchema.nullable().describe('Since when the door is unlocked, ISO 8601 in UTC. Null if not known'),
  by: opener.nullable().describe('Who unlocked it. Null if not known'),
  stays: z.boolean().describe('true if the door stays unlocked until it is locked, false if it locks by itself'),
}).describe('An unlocked door');
export type UnlockedGadget = z.infer<typeof unlocked>;

/** `known_at` is null while the controller is online; then the state is current. `unlocked` is null for a locked door. */
const gadgetStateSchema = tolerantObjectSchema({
  gadget_id: idSchema('gadget'),
  state_id: z.string().nullable().describe('Id of the last known state. Null if not known'),
  is_current: z.boolean().describe('Whether the state is the present one'),
  known_at: dateTimeSchema
    .nullable()
    .describe('When the state was last known, ISO 8601 in UTC. Null while the controller is online'),
  unlocked: unlocked.nullable().describe('Since when and by whom the door is unlocked. Null for a locked door'),
}).describe('The state of a gadget');
export type GadgetStateResponse = z.infer<typeof gadgetStateSchema>;

/** The state of every gadget that the caller may see. */
export const gadgetStatesResponseSchema = tolerantObjectSchema({
  gadgets: z.array(gadgetStateSchema).describe('Every gadget that the caller may see'),
}).describe('States of gadgets');
export type GadgetStatesResponse = z.infer<typeof gadgetStatesResponseSchema>;
