import * as z from 'zod';
import { nonNegativeIntegerSchema, nonceSchema, wireProtocolVersionSchema } from '../message-fields.ts';

/** Live messages of the controller for remote technicians, while they request them. */
export const technicianLiveMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  session_nonce: nonceSchema,
  /** Number of the first message. A gap shows that messages were dropped. */
  first: nonNegativeIntegerSchema,
  /** As `technician/live-message.ts` has them; those of a newer controller pass too. */
  happenings: z
    .array(z.looseObject({ type: z.string() }))
    .min(1)
    .max(200),
});
export type TechnicianLiveMqttMessage = z.infer<typeof technicianLiveMqttMessageSchema>;
