import * as z from 'zod';
import { wireProtocolVersionSchema } from '../message-fields.ts';

/**
 * Message `bridge-link`: a gateway tells its devices whether the bridge is reachable. Unsigned, because a forger could cut
 * the connection as well; it only affects when devices send requests.
 */
export const bridgeLinkMqttMessageSchema = z.object({ v: wireProtocolVersionSchema, online: z.boolean() });
