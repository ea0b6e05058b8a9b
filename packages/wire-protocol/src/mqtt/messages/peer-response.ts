import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { openEnumSchema } from '../../schema-parts/open-enum.ts';
import { actionOutcomes, nonceSchema, requestIdSchema, wireProtocolVersionSchema } from '../message-fields.ts';

/** Message `peer-answer`: the result from the controller that owns the gadget, with its event if there is one. */
export const peerResponseMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  request_id: requestIdSchema,
  outcome: openEnumSchema(actionOutcomes),
  reason: z.string().nullable(),
  event_id: idSchema('event').nullable(),
  /** For the reader's next request, which saves a round trip. */
  next_nonce: nonceSchema,
});
export type PeerResponseMqttMessage = z.infer<typeof peerResponseMqttMessageSchema>;
