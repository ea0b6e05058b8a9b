import * as z from 'zod';
import { nonceSchema, requestIdSchema, wireProtocolVersionSchema } from '../message-fields.ts';

/** Valid for one request of the addressed controller. */
export const peerNonceMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  request_id: requestIdSchema,
  nonce: nonceSchema,
});
export type PeerNonceMqttMessage = z.infer<typeof peerNonceMqttMessageSchema>;
