import * as z from 'zod';
import { requestIdSchema, protocolVersionSchema } from '../message-fields.ts';

/** The reading controller requests a nonce from the owner of the gadget. */
export const peerHelloMqttMessageSchema = z.object({ v: protocolVersionSchema, request_id: requestIdSchema });
export type PeerHelloMqttMessage = z.infer<typeof peerHelloMqttMessageSchema>;
