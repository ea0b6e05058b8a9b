import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { protocolVersionSchema } from '../message-fields.ts';

/** A gateway lists its connected devices; all others are offline. */
export const devicePresenceMqttMessageSchema = z.object({
  v: protocolVersionSchema,
  devices: z.array(idSchema('device')).max(10_000),
});
export type DevicePresenceMqttMessage = z.infer<typeof devicePresenceMqttMessageSchema>;
