import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** What a device reported from this time on. Null: the device does not measure it. */
const healthRecord = tolerantObjectSchema({
  at: dateTimeSchema,
  mains_present: z.boolean().nullable(),
  battery_percent: z.number().nullable(),
  battery_charging: z.boolean().nullable(),
  /** The codes of the faults that lasted. */
  faults: z.array(z.string()),
}).meta({ title: 'device_health_record' });
export type DeviceHealthRecord = z.infer<typeof healthRecord>;

/** Changes of faults and power of the last 30 days, oldest first. */
export const deviceHealthResponseSchema = tolerantObjectSchema({
  device_id: idSchema('device'),
  records: z.array(healthRecord),
});
export type DeviceHealthResponse = z.infer<typeof deviceHealthResponseSchema>;
