import * as z from 'zod';
import { millisecondsSchema, partNameSchema } from './field-schemas.ts';

const DAY_MS = 86_400_000;
const time = millisecondsSchema(1, DAY_MS).optional();

/** Times of key entry and lockout. The firmware has defaults for omitted values. */
export const entryTimesSchema = z
  .strictObject({
    known_pin_pause_ms: time,
    forget_ms: time,
    first_lockout_ms: time,
    longest_lockout_ms: time,
    quiet_ms: time,
  })
  .default({});

/** Five million events of 343 bytes take 1634 MiB. The default allows for longer events. */
export const eventDiskLimitsMb = { min: 16, max: 1_000_000, otherwise: 3_072 };

export const policiesSchema = z
  .strictObject({
    /** Handling of time-limited permissions while the clock is not trusted. */
    untrusted_time: z.enum(['refuse', 'use_clock']).default('refuse'),
    /** Maximum age of the snapshot for access. Null: no limit. */
    slice_refuse_hours: z.int().min(1).max(8_760).nullable().default(null),
    /** Disk space for events in MiB. Beyond it, the oldest events are deleted. */
    event_disk_mb: z.int().min(eventDiskLimitsMb.min).max(eventDiskLimitsMb.max).default(eventDiskLimitsMb.otherwise),
  })
  .prefault({});

export const powerSchema = z
  .strictObject({
    /** Active while mains power is present. */
    mains: partNameSchema.optional(),
    /** Active while a battery is present. */
    battery: partNameSchema.optional(),
    /** Active while the battery charges. */
    charging: partNameSchema.optional(),
  })
  .default({});

/** Bill of materials. */
export const materialsSchema = z
  .array(z.strictObject({ part: z.string().trim().min(1).max(200), count: z.int().min(1).max(100).default(1) }))
  .max(50)
  .default([]);
