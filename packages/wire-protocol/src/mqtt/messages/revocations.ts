import * as z from 'zod';
import { wireProtocolVersionSchema } from '../message-fields.ts';

/**
 * Revocations as signed by the organization. `revocations`: those that a controller has received, in response to
 * `resend-revocations`. `missed-revocations`: those that it has missed, after its hello.
 */
export const revocationsMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  /** Complete `revoke` frames in base64url. */
  frames: z.array(z.base64url().max(300_000)).max(1000),
});
export type RevocationsMqttMessage = z.infer<typeof revocationsMqttMessageSchema>;
