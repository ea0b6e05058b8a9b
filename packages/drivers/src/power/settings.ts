import * as z from 'zod';
import type { ExclusiveUse } from '../definition/define-driver.ts';
import { i2cAddressSchema, i2cBusNumberSchema, useI2cAddress } from '../i2c-spi/header-pins.ts';

const range = { empty_mv: z.int().min(2_000).max(60_000), full_mv: z.int().min(2_000).max(60_000) };
const i2c = { bus: i2cBusNumberSchema };

/** Measures the battery. */
export const batteryGaugeSchema = z
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
export type BatteryGaugeSettings = z.output<typeof batteryGaugeSchema>;

export const useGauge = (gauge: BatteryGaugeSettings): readonly ExclusiveUse[] =>
  'address' in gauge ? useI2cAddress(gauge) : [];
