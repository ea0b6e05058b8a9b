import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { wireProtocolVersionSchema } from '../message-fields.ts';

/** A gateway lists its connected devices; all others are offline. */
export const connectedDevicesMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  devices: z.array(idSchema('device')).max(10_000),
});
export type ConnectedDevicesMqttMessage = z.infer<typeof connectedDevicesMqttMessageSchema>;
