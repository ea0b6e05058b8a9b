import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { messageCounterSchema, revisionSchema, protocolVersionSchema } from '../message-fields.ts';

/**
 * The bridge has committed these events. Includes the current revision, so that an attacker who withholds a revocation
 * must withhold acknowledgements too.
 */
export const ackMqttMessageSchema = z.object({
  v: protocolVersionSchema,
  event_ids: z.array(idSchema('event')).max(500),
  revision: revisionSchema.nullish(),
  /** Counter of the latest revocation. */
  revoke_counter: messageCounterSchema.nullish(),
});
export type AckMqttMessage = z.infer<typeof ackMqttMessageSchema>;
