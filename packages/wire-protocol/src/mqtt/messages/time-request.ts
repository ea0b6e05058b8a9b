import * as z from 'zod';
import { nonceSchema, wireProtocolVersionSchema } from '../message-fields.ts';
import { helloMqttMessageSchema } from './hello.ts';

/** What the device holds, as in its hello. A bridge that has not sent as much has lost data. */
export const deviceSyncPositionSchema = helloMqttMessageSchema.pick({
  session_nonce: true,
  snapshot: true,
  acknowledged_sequence: true,
  down_counter: true,
  revoke_counter: true,
});
export type DeviceSyncPosition = z.infer<typeof deviceSyncPositionSchema>;

/** Requests the time. Each request has its own nonce. */
export const timeRequestMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  nonce: nonceSchema,
  position: deviceSyncPositionSchema.optional(),
});
export type TimeRequestMqttMessage = z.infer<typeof timeRequestMqttMessageSchema>;
