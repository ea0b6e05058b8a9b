import * as z from 'zod';
import { counter, nonce, protocolVersion } from '../message-fields.ts';

/** Live messages of the controller for remote technicians, while they request them. */
export const technicianLive = z.object({
  v: protocolVersion,
  session_nonce: nonce,
  /** Number of the first message. A gap shows that messages were dropped. */
  first: counter,
  /** As `technician/live.ts` has them; those of a newer controller pass too. */
  happenings: z
    .array(z.looseObject({ type: z.string() }))
    .min(1)
    .max(200),
});
export type TechnicianLive = z.infer<typeof technicianLive>;
