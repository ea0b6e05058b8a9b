import * as z from 'zod';
import { counter, nonce, protocolVersion } from '../message-fields.ts';

/** What happens at the door, for technicians far away who look on, as long as they say that they do. */
export const technicianLive = z.object({
  v: protocolVersion,
  session_nonce: nonce,
  /** Of the first; whoever sees a number missing knows that something was. */
  first: counter,
  /** As `technician/live.ts` has them; those of a newer controller pass too. */
  happenings: z
    .array(z.looseObject({ type: z.string() }))
    .min(1)
    .max(200),
});
export type TechnicianLive = z.infer<typeof technicianLive>;
