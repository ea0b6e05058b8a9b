import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { nonNegativeIntegerSchema, revisionSchema, wireProtocolVersionSchema } from '../message-fields.ts';

/**
 * The bridge has committed these events. Includes the current revision, so that an attacker who withholds a revocation
 * must withhold acknowledgements too.
 */
export const eventAckMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  event_ids: z.array(idSchema('event')).max(500),
  revision: revisionSchema.nullish(),
  /** Counter of the latest revocation. */
  revoke_counter: nonNegativeIntegerSchema.nullish(),
});
export type EventAckMqttMessage = z.infer<typeof eventAckMqttMessageSchema>;
