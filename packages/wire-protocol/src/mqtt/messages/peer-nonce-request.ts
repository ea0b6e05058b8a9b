import * as z from 'zod';
import { requestIdSchema, wireProtocolVersionSchema } from '../message-fields.ts';

/** The reading controller requests a nonce from the owner of the gadget. */
export const peerNonceRequestMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  request_id: requestIdSchema,
});
export type PeerNonceRequestMqttMessage = z.infer<typeof peerNonceRequestMqttMessageSchema>;
