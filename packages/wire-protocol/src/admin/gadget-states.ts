import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** Who unlocked a door. The name is null if the caller may not see it. */
const opener = tolerantObjectSchema({
  type: openEnumSchema(['member', 'user', 'oauth_application', 'schedule', 'gadget_trigger']),
  name: z.string().nullable(),
});

/** `stays` is true if the door stays unlocked until it is locked, false if it locks by itself. Null: not known. */
const unlocked = tolerantObjectSchema({
  since: dateTimeSchema.nullable(),
  by: opener.nullable(),
  stays: z.boolean(),
});
export type UnlockedGadget = z.infer<typeof unlocked>;

/** `known_at` is null while the controller is online; then the state is current. `unlocked` is null for a locked door. */
const gadgetStateSchema = tolerantObjectSchema({
  gadget_id: idSchema('gadget'),
  state_id: z.string().nullable(),
  is_current: z.boolean(),
  known_at: dateTimeSchema.nullable(),
  unlocked: unlocked.nullable(),
});
export type GadgetStateResponse = z.infer<typeof gadgetStateSchema>;

/** The state of every gadget that the caller may see. */
export const gadgetStatesResponseSchema = tolerantObjectSchema({ gadgets: z.array(gadgetStateSchema) });
export type GadgetStatesResponse = z.infer<typeof gadgetStatesResponseSchema>;
