import * as z from 'zod';
import { createMillisecondsSchema, partNameSchema } from './name-id-and-duration-schemas.ts';
import { i2cAddressSchema, i2cBusNumberSchema } from './i2c-and-spi-bus-schemas.ts';

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

const range = { empty_mv: z.int().min(2_000).max(60_000), full_mv: z.int().min(2_000).max(60_000) };
const i2c = { bus: i2cBusNumberSchema };

/** Measures the battery. */
const gaugeSchema = z
  .discriminatedUnion(
    'driver',
    [
      z.strictObject({ driver: z.literal('max17040'), ...i2c, address: i2cAddressSchema.default(0x36) }),
      z.strictObject({
        driver: z.literal('ina219'),
        ...i2c,
        ...range,
        address: i2cAddressSchema.default(0x40),
        shunt_milliohm: z.number().positive().max(10_000).default(100),
        /** The sign of the current while the battery charges. */
        charging_current: z.enum(['positive', 'negative']).default('positive'),
      }),
      z.strictObject({
        driver: z.literal('iio-adc'),
        ...range,
        device: z.string().regex(/^\/sys\/bus\/iio\/devices\/[\w:.-]{1,60}$/),
        channel: z.int().min(0).max(31),
        /** The battery voltage divided by the voltage at the converter. */
        divider: z.number().min(1).max(100).default(1),
      }),
    ],
    { error: 'must have the driver max17040, ina219 or iio-adc' },
  )
  .check(({ value, issues }) => {
    if (value.driver === 'max17040' || value.full_mv > value.empty_mv) return;
    issues.push({ code: 'custom', input: value.full_mv, path: ['full_mv'], message: 'must be more than empty_mv' });
  });

export const powerMonitoringSchema = z
  .strictObject({
    /** Active while mains power is present. */
    mains: partNameSchema.optional(),
    /** Active while a battery is present. */
    battery: partNameSchema.optional(),
    /** Active while the battery charges. */
    charging: partNameSchema.optional(),
    /** Charge of the battery, and what else the part measures. */
    gauge: gaugeSchema.optional(),
  })
  .default({});
