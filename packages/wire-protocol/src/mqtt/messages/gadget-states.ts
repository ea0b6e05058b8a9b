import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { epochMillisecondsSchema, wireProtocolVersionSchema } from '../message-fields.ts';

/** The current states of gadgets. Events report the changes. */
export const gadgetStatesMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  gadgets: z
    .array(z.object({ gadget_id: idSchema('gadget'), state_id: z.string(), since: epochMillisecondsSchema }))
    .max(100),
});
export type GadgetStatesMqttMessage = z.infer<typeof gadgetStatesMqttMessageSchema>;
