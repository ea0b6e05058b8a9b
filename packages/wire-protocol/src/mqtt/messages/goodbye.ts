import * as z from 'zod';
import { openEnumSchema } from '../../schema-parts/open-enum.ts';
import { nonceSchema, wireProtocolVersionSchema } from '../message-fields.ts';

/** The last will of a connection, or a clean stop. Ends only the session that it names. */
export const goodbyeMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  session_nonce: nonceSchema,
  reason: openEnumSchema(['lost', 'stopping', 'restarting', 'updating']),
});
export type GoodbyeMqttMessage = z.infer<typeof goodbyeMqttMessageSchema>;
