import * as z from 'zod';
import {
  createMillisecondsSchema,
  createRecordByPartNameSchema,
  wireDescriptionSchema,
} from './name-id-and-duration-schemas.ts';
import { allowNetworkRelayFieldSchema, networkHostSchema, createTcpPortSchema } from './network-relay-field-schemas.ts';
import { createBaudRateSchema, paritySchema, serialPortSchema } from './serial-port-field-schemas.ts';

const unit = z.int().min(1).max(247);
const number = z.int().min(0).max(65_535);

const hasOneOf = (a: unknown, b: unknown): boolean => (a === undefined) !== (b === undefined);

/** A relay is a coil (functions 01 and 05) or a holding register (03 and 06). */
const modbusOutput = z
  .strictObject({ unit, coil: number.optional(), register: number.optional(), wire: wireDescriptionSchema })
  .check(({ value, issues }) => {
    if (hasOneOf(value.coil, value.register)) return;
    issues.push({ code: 'custom', input: value, path: [], message: 'must have either coil or register' });
  });

/** A contact is a discrete input (function 02) or in a register (03 or 04), as one of its bits or as the whole. */
const modbusInput = z
  .strictObject({
    unit,
    input: number.optional(),
    register: number.optional(),
    /** Counted from 0, the least significant. Without it, every value but 0 is on. */
    bit: z.int().min(0).max(15).optional(),
    /** `holding`: function 03. `input`: function 04. */
    table: z.enum(['holding', 'input']).default('holding'),
    active: z.enum(['on', 'off']).default('on'),
    debounce_ms: createMillisecondsSchema(0, 1_000).default(100),
    wire: wireDescriptionSchema,
  })
  .check(({ value, issues }) => {
    if (!hasOneOf(value.input, value.register))
      issues.push({ code: 'custom', input: value, path: [], message: 'must have either input or register' });
    if (value.bit !== undefined && value.register === undefined)
      issues.push({ code: 'custom', input: value.bit, path: ['bit'], message: 'requires register' });
  });

/** The numbers that switch a relay in a register. */
const registerValues = z.strictObject({
  on: number.default(1),
  off: number.default(0),
  /** What the register contains while the relay is on, if it differs from `on`. */
  reads_on: number.optional(),
  /** For boards that time pulses themselves: the value is `base` plus the duration in `unit_ms`. */
  pulse: z
    .strictObject({
      base: number,
      unit_ms: createMillisecondsSchema(1, 10_000),
      longest: z.int().min(1).max(32_767).default(255),
    })
    .optional(),
});

const boards = {
  /**
   * For boards that time pulses themselves and relock even after a crash of the process: `base` is added to the coil number,
   * and the value counts in `unit_ms`.
   */
  pulse: z.strictObject({ base: z.int().min(1).max(65_535), unit_ms: createMillisecondsSchema(1, 10_000) }).optional(),
  register_values: registerValues.prefault({}),
  outputs: createRecordByPartNameSchema(modbusOutput),
  inputs: createRecordByPartNameSchema(modbusInput),
};

export const modbusBusSchema = z.strictObject({
  driver: z.literal('modbus'),
  port: serialPortSchema,
  baud_rate: createBaudRateSchema(9600),
  parity: paritySchema,
  ...boards,
});

/** Modbus has no authentication: everyone in the network can switch the relays. */
export const modbusTcpBusSchema = z.strictObject({
  driver: z.literal('modbus-tcp'),
  host: networkHostSchema,
  tcp_port: createTcpPortSchema(502),
  allow_network_relay: allowNetworkRelayFieldSchema,
  ...boards,
});
