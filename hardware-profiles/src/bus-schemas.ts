import * as z from 'zod';
import {
  keyboardNameSchema,
  createMillisecondsSchema,
  createRecordByPartNameSchema,
  partNameSchema,
  wireDescriptionSchema,
} from './name-id-and-duration-schemas.ts';
import { modbusBusSchema, modbusTcpBusSchema } from './modbus-bus-schemas.ts';
import { httpRelayBusSchema, shellyBusSchema } from './network-relay-bus-schemas.ts';
import { mcp23017BusSchema, pn532I2cBusSchema, pn532SpiBusSchema, rc522BusSchema } from './i2c-and-spi-bus-schemas.ts';
import { osdpBusSchema } from './osdp-bus-schema.ts';
import { qrKeyboardBusSchema, qrSerialBusSchema } from './qr-reader-bus-schemas.ts';
import { serialKeypadKeysSchema } from './serial-keypad-keys.ts';
import { createBaudRateSchema, paritySchema, serialPortSchema } from './serial-port-field-schemas.ts';
import { wiegandFormatsSchema } from './wiegand-formats.ts';

/** Labels of GPIO chips, because chip numbers differ between boards and kernels. The first existing chip is used. */
const chipLabels = z.array(z.string().min(1).max(64)).min(1).max(8);
const offset = z.int().min(0).max(511);
const onChip = { chip: chipLabels };
const uidOrder = z.enum(['as_sent', 'reversed']).default('as_sent');

/** Off is the safe state of each output: at startup, after a crash, and when idle. */
const gpioOutput = z.strictObject({
  line: offset,
  active: z.enum(['high', 'low']).default('high'),
  wire: wireDescriptionSchema,
});
const gpioInput = z.strictObject({
  line: offset,
  active: z.enum(['high', 'low']).default('low'),
  pull: z.enum(['up', 'down', 'none']).default('up'),
  debounce_ms: createMillisecondsSchema(0, 1_000).default(30),
  wire: wireDescriptionSchema,
});

const gpio = z.strictObject({
  driver: z.literal('gpio'),
  ...onChip,
  outputs: createRecordByPartNameSchema(gpioOutput),
  inputs: createRecordByPartNameSchema(gpioInput),
});

const wiegand = z
  .strictObject({
    driver: z.literal('wiegand'),
    ...onChip,
    d0: offset,
    d1: offset,
    /** Encoding of the keys. `8_bit_reversed` sends the inverted half last; `26_bit_pin` sends a PIN like a card. */
    keys: z.enum(['none', '4_bit', '8_bit', '8_bit_reversed', '26_bit_pin']).default('none'),
    /** For `26_bit_pin`: the facility code of PINs, which no card has, and their length, because zeros in front are lost. */
    pin: z.strictObject({ facility: z.int().min(0).max(255), digits: z.literal([4, 5]).default(4) }).optional(),
    formats: wiegandFormatsSchema.default([26, 34, 37]),
    uid_order: uidOrder,
    wire: wireDescriptionSchema,
  })
  .check(({ value: { keys, pin }, issues }) => {
    if ((keys === '26_bit_pin') === (pin !== undefined)) return;
    const message = keys === '26_bit_pin' ? 'is required for 26_bit_pin' : 'is allowed for 26_bit_pin only';
    issues.push({ code: 'custom', input: pin, path: ['pin'], message });
  });

const matrixKeypad = z
  .strictObject({
    driver: z.literal('matrix-keypad'),
    ...onChip,
    rows: z.array(offset).min(1).max(8),
    columns: z.array(offset).min(1).max(8),
    /** One string per row, one character per column. Letters and spaces are not used as keys. */
    keys: z
      .array(z.string().regex(/^[0-9A-D*# ]{1,8}$/, { error: 'may contain 0-9 * # A-D and spaces' }))
      .min(1)
      .max(8),
    /** Microseconds between driving a row and reading the columns. */
    settle_us: z.int().min(0).max(1_000).default(20),
    wire: wireDescriptionSchema,
  })
  .check(({ value: { rows, columns, keys }, issues }) => {
    if (keys.length !== rows.length || keys.some(row => row.length !== columns.length))
      issues.push({
        code: 'custom',
        input: keys,
        path: ['keys'],
        message: 'must have one string for each row and one character for each column',
      });
    const pressed = keys.join('').replaceAll(' ', '');
    if (new Set(pressed).size < pressed.length)
      issues.push({ code: 'custom', input: keys, path: ['keys'], message: 'must not contain a key twice' });
  });

const usbKeypad = z.strictObject({
  driver: z.literal('usb-keypad'),
  device: keyboardNameSchema.default('*-event-kbd'),
  wire: wireDescriptionSchema,
});

const keyboardWedge = z.strictObject({
  driver: z.literal('keyboard-wedge'),
  /** Required, because a keypad is a keyboard too. */
  device: keyboardNameSchema,
  /** How the reader types the card number. */
  number: z.enum(['decimal', 'hexadecimal', 'facility_and_card']).default('decimal'),
  uid_order: uidOrder,
  wire: wireDescriptionSchema,
});

const serialKeypad = z.strictObject({
  driver: z.literal('serial-keypad'),
  port: serialPortSchema,
  baud_rate: createBaudRateSchema(9600),
  parity: paritySchema,
  keys: serialKeypadKeysSchema.optional(),
  wire: wireDescriptionSchema,
});

const usbPath = z
  .string()
  .regex(/^\d+-\d+(?:\.\d+)*$/, { error: 'must be a USB port, such as 1-1.2' })
  .optional();

/**
 * `model`: part of the reader's PC/SC name. `usb_path` and `serial`: the USB port and the serial number, which tell equal
 * readers apart. `assign`: a technician chooses the reader on site by presenting a card. Without any: each reader that no
 * other entry matches.
 */
const pcscReader = z.strictObject({
  model: z.string().min(1).max(100).optional(),
  usb_path: usbPath,
  serial: z.string().min(1).max(100).optional(),
  assign: z.literal('by_tap').optional(),
  wire: wireDescriptionSchema,
});
type PcscReaderEntry = z.infer<typeof pcscReader>;

const differ = (a: string | undefined, b: string | undefined): boolean => a !== undefined && b !== undefined && a !== b;

/** A reader whose name contains both models would serve only the first of two doors. */
const haveDifferentModels = (a: string | undefined, b: string | undefined): boolean => {
  if (a === undefined || b === undefined) return false;
  const [first, second] = [a.toLowerCase(), b.toLowerCase()];
  return !first.includes(second) && !second.includes(first);
};

const isOpenEntry = ({ model, usb_path, serial, assign }: PcscReaderEntry): boolean =>
  model === undefined && usb_path === undefined && serial === undefined && assign === undefined;

const mayMatchSameReader = (a: PcscReaderEntry, b: PcscReaderEntry): boolean => {
  if (isOpenEntry(a) || isOpenEntry(b)) return isOpenEntry(a) && isOpenEntry(b);
  // The assignments on site are different USB ports.
  if (a.assign !== undefined && b.assign !== undefined) return false;
  return !differ(a.usb_path, b.usb_path) && !differ(a.serial, b.serial) && !haveDifferentModels(a.model, b.model);
};

const pcsc = z
  .strictObject({ driver: z.literal('pcsc'), readers: createRecordByPartNameSchema(pcscReader) })
  .check(({ value: { readers }, issues }) => {
    const all = Object.entries(readers);
    for (const [index, [name, reader]] of all.entries()) {
      const other = all.slice(0, index).find(([, earlier]) => mayMatchSameReader(earlier, reader));
      if (other !== undefined)
        issues.push({
          code: 'custom',
          input: reader,
          path: ['readers', name],
          message: `may be the same reader as ${other[0]}: set usb_path, serial or assign for both, or the part of the name that differs as model`,
        });
      if (reader.assign !== undefined && (reader.usb_path !== undefined || reader.serial !== undefined))
        issues.push({
          code: 'custom',
          input: reader.assign,
          path: ['readers', name, 'assign'],
          message: 'must not be set together with usb_path or serial',
        });
    }
  });

const pn532 = z.strictObject({
  driver: z.literal('pn532'),
  port: serialPortSchema,
  baud_rate: createBaudRateSchema(115_200),
  wire: wireDescriptionSchema,
});

const rdm6300 = z.strictObject({
  driver: z.literal('rdm6300'),
  port: serialPortSchema,
  baud_rate: createBaudRateSchema(9600),
  /** The card uid: all five bytes of the tag number, or the four that are printed on the tag. */
  uid: z.enum(['whole_tag', 'printed_number']).default('whole_tag'),
  wire: wireDescriptionSchema,
});

const usbRelay = z.strictObject({
  driver: z.literal('usb-relay'),
  port: serialPortSchema,
  /** Newer boards respond to commands, which allows the detection of a power loss. */
  answers: z.boolean().default(false),
  outputs: createRecordByPartNameSchema(
    z.strictObject({ channel: z.int().min(1).max(8), wire: wireDescriptionSchema }),
  ),
});

/** USB relays with the ids 16c0:05df. `usb_path` tells several of them apart; `serial` is checked. */
const hidRelay = z.strictObject({
  driver: z.literal('hid-relay'),
  usb_path: usbPath,
  serial: z
    .string()
    .regex(/^[!-~]{5}$/, { error: 'must have five characters' })
    .optional(),
  outputs: createRecordByPartNameSchema(z.strictObject({ relay: z.int().min(1).max(8), wire: wireDescriptionSchema })),
});

/** Simulated parts, operated through a socket. */
const simulated = z.strictObject({
  driver: z.literal('simulated'),
  outputs: createRecordByPartNameSchema(z.strictObject({ wire: wireDescriptionSchema })),
  inputs: createRecordByPartNameSchema(z.strictObject({ wire: wireDescriptionSchema })),
  keypads: z.array(partNameSchema).max(16).default([]),
  readers: z.array(partNameSchema).max(16).default([]),
});

export const hardwareBusSchema = z.discriminatedUnion(
  'driver',
  [
    gpio,
    wiegand,
    matrixKeypad,
    usbKeypad,
    keyboardWedge,
    serialKeypad,
    pcsc,
    pn532,
    rdm6300,
    qrSerialBusSchema,
    qrKeyboardBusSchema,
    osdpBusSchema,
    modbusBusSchema,
    modbusTcpBusSchema,
    usbRelay,
    hidRelay,
    mcp23017BusSchema,
    pn532I2cBusSchema,
    pn532SpiBusSchema,
    rc522BusSchema,
    shellyBusSchema,
    httpRelayBusSchema,
    simulated,
  ],
  { error: 'must have a known driver' },
);
export type HardwareBus = z.infer<typeof hardwareBusSchema>;
export type BusWithDriver<D extends HardwareBus['driver']> = Extract<HardwareBus, { driver: D }>;
