import { createMillisecondsSchema, partNameSchema, batteryGaugeSchema } from '@lintel/drivers/settings';
import * as z from 'zod';

const DAY_MS = 86_400_000;
const time = createMillisecondsSchema(1, DAY_MS).optional();

/** Times of key entry and lockout. The firmware has defaults for omitted values. */
export const keyEntryTimesSchema = z
  .strictObject({
    known_pin_pause_ms: time,
    forget_ms: time,
    first_lockout_ms: time,
    longest_lockout_ms: time,
    quiet_ms: time,
  })
  .default({});

/** Five million events of 374 bytes take 1784 MiB. The default allows for longer events. */
export const eventDiskLimitsMb = { min: 16, max: 1_000_000, otherwise: 3_072 };

export const profilePoliciesSchema = z
  .strictObject({
    /** Handling of time-limited permissions while the clock is not trusted. */
    untrusted_time: z.enum(['refuse', 'use_clock']).default('refuse'),
    /** Maximum age of the snapshot for access. Null: no limit. */
    slice_refuse_hours: z.int().min(1).max(8_760).nullable().default(null),
    /** Disk space for events in MiB. Beyond it, the oldest events are deleted. */
    event_disk_mb: z.int().min(eventDiskLimitsMb.min).max(eventDiskLimitsMb.max).default(eventDiskLimitsMb.otherwise),
  })
  .prefault({});

export const powerMonitoringSchema = z
  .strictObject({
    /** Active while mains power is present. */
    mains: partNameSchema.optional(),
    /** Active while a battery is present. */
    battery: partNameSchema.optional(),
    /** Active while the battery charges. */
    charging: partNameSchema.optional(),
    /** Charge of the battery, and what else the part measures. */
    gauge: batteryGaugeSchema.optional(),
  })
  .default({});
