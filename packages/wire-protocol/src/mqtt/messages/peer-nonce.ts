import * as z from 'zod';
import { nonceSchema, requestIdSchema, protocolVersionSchema } from '../message-fields.ts';

/** Valid for one request of the addressed controller. */
export const peerNonceMqttMessageSchema = z.object({
  v: protocolVersionSchema,
  request_id: requestIdSchema,
  nonce: nonceSchema,
});
export type PeerNonceMqttMessage = z.infer<typeof peerNonceMqttMessageSchema>;
