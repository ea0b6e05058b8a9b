import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import {
  actingSubjectSchema,
  epochMillisecondsSchema,
  nonceSchema,
  requestIdSchema,
  wireProtocolVersionSchema,
} from '../message-fields.ts';

/**
 * The reading controller has granted access and asks the owner of the gadget, which decides again from its own
 * snapshot. Quotes a nonce of the owner. Requests of a trigger have no subject but carry the depth of the chain.
 */
export const peerRequestMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  request_id: requestIdSchema,
  nonce: nonceSchema,
  deadline_ms: z.int().min(1).max(60_000),
  gadget_id: idSchema('gadget'),
  action_id: z.string(),
  occurred_at: epochMillisecondsSchema,
  time_trusted: z.boolean(),
  subject: actingSubjectSchema.nullable(),
  trigger: z.object({ gadget_trigger_id: idSchema('gadget_trigger'), depth: z.int().min(0).max(100) }).nullable(),
});
export type PeerRequestMqttMessage = z.infer<typeof peerRequestMqttMessageSchema>;
