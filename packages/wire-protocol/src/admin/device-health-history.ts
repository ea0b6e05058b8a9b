import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** What a device reported from this time on. Null: the device does not measure it. */
const healthRecord = tolerantObjectSchema({
  at: dateTimeSchema.describe('From when it is so, ISO 8601 in UTC'),
  mains_present: z.boolean().nullable().describe('Whether mains powers it. Null: nothing measures it'),
  battery_percent: z.number().nullable().describe('Charge of the battery, 0 to 100 percent. Null: nothing measures it'),
  battery_charging: z.boolean().nullable().describe('Whether the battery is charging. Null: nothing measures it'),
  faults: z.array(z.string()).describe('Codes of the faults that lasted'),
}).meta({ title: 'device_health_record', description: 'What a device reported from a time on' });
export type DeviceHealthRecord = z.infer<typeof healthRecord>;

/** Changes of faults and power of the last 30 days, oldest first. */
export const deviceHealthResponseSchema = tolerantObjectSchema({
  device_id: idSchema('device'),
  records: z.array(healthRecord).describe('Changes of faults and power in the last 30 days, oldest first'),
}).describe('Faults and power of a device over time');
export type DeviceHealthResponse = z.infer<typeof deviceHealthResponseSchema>;
