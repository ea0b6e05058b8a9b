import * as z from 'zod';
import {
  createMillisecondsSchema,
  createRecordByPartNameSchema,
  wireDescriptionSchema,
} from './name-id-and-duration-schemas.ts';

/** `/dev/i2c-N`. */
export const i2cBusNumberSchema = z.int().min(0).max(31).default(1);
export const i2cAddressSchema = z.int().min(0x08).max(0x77);

const spiDevice = z
  .string()
  .regex(/^\/dev\/spidev\d{1,2}\.\d$/, { error: 'must be an SPI device, such as /dev/spidev0.0' })
  .default('/dev/spidev0.0');

const line = z.int().min(0).max(15);

/** Relay boards with a port expander. Lines 0 to 7 are GPA0 to GPA7, 8 to 15 are GPB0 to GPB7. */
export const mcp23017BusSchema = z.strictObject({
  driver: z.literal('mcp23017'),
  bus: i2cBusNumberSchema,
  address: z.int().min(0x20).max(0x27).default(0x20),
  outputs: createRecordByPartNameSchema(
    z.strictObject({ line, active: z.enum(['high', 'low']).default('high'), wire: wireDescriptionSchema }),
  ),
  inputs: createRecordByPartNameSchema(
    z.strictObject({
      line,
      active: z.enum(['high', 'low']).default('low'),
      pull: z.enum(['up', 'none']).default('up'),
      debounce_ms: createMillisecondsSchema(0, 1_000).default(100),
      wire: wireDescriptionSchema,
    }),
  ),
});

export const pn532I2cBusSchema = z.strictObject({
  driver: z.literal('pn532-i2c'),
  bus: i2cBusNumberSchema,
  address: i2cAddressSchema.default(0x24),
  wire: wireDescriptionSchema,
});

export const pn532SpiBusSchema = z.strictObject({
  driver: z.literal('pn532-spi'),
  device: spiDevice,
  wire: wireDescriptionSchema,
});

export const rc522BusSchema = z.strictObject({
  driver: z.literal('rc522'),
  device: spiDevice,
  wire: wireDescriptionSchema,
});
