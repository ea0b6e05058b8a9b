import * as z from 'zod';
import { milliseconds, partName } from './profile-parts.ts';

const DAY_MS = 86_400_000;
const time = milliseconds(1, DAY_MS).optional();

/** Of key entry and lockout; what is left out has the default of the firmware. */
export const times = z
  .strictObject({
    known_pin_pause_ms: time,
    forget_ms: time,
    first_lockout_ms: time,
    longest_lockout_ms: time,
    quiet_ms: time,
  })
  .default({});

/** Five million events of 343 bytes take 1634; the default has room for longer ones. */
export const eventDiskMb = { min: 16, max: 1_000_000, otherwise: 3_072 };

export const policies = z
  .strictObject({
    /** Time-limited permissions while the controller does not know the time. */
    untrusted_time: z.enum(['refuse', 'use_clock']).default('refuse'),
    /** Nobody is let in by a slice that is older; null: it never gets too old. */
    slice_refuse_hours: z.int().min(1).max(8_760).nullable().default(null),
    /** What events may take on the disk, in 2^20 bytes; beyond it the oldest make room for new ones. */
    event_disk_mb: z.int().min(eventDiskMb.min).max(eventDiskMb.max).default(eventDiskMb.otherwise),
  })
  .prefault({});

export const power = z
  .strictObject({
    /** Active while there is mains. */
    mains: partName.optional(),
    /** Active while a battery is there. */
    battery: partName.optional(),
    /** Active while the battery charges. */
    charging: partName.optional(),
  })
  .default({});

/** What to buy. */
export const materials = z
  .array(z.strictObject({ part: z.string().trim().min(1).max(200), count: z.int().min(1).max(100).default(1) }))
  .max(50)
  .default([]);
