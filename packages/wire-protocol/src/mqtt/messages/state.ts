import * as z from 'zod';
import { idOf } from '../../schema-parts/identifier.ts';
import { milliseconds, version } from '../message-fields.ts';

/** The state that gadgets are in now. How they came there is told by events. */
export const state = z.object({
  v: version,
  gadgets: z.array(z.object({ gadget_id: idOf('gadget'), state_id: z.string(), since: milliseconds })).max(100),
});
export type State = z.infer<typeof state>;
