import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { epochMilliseconds, protocolVersion } from '../message-fields.ts';

/** The current states of gadgets. Events report the changes. */
export const gadgetStatesMessage = z.object({
  v: protocolVersion,
  gadgets: z
    .array(z.object({ gadget_id: idSchema('gadget'), state_id: z.string(), since: epochMilliseconds }))
    .max(100),
});
export type GadgetStatesMessage = z.infer<typeof gadgetStatesMessage>;
