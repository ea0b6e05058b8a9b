import * as z from 'zod';
import { milliseconds, named, partName, wire } from './profile-parts.ts';
import { serialKeys } from './serial-keys.ts';

/** `/dev/ttyUSB0` may be another port after the next start: a path that names the port, or the adapter's USB numbers. */
const serialPort = z.union(
  [
    z.strictObject({
      path: z
        .string()
        .max(200)
        .regex(/^(?:\/[\w.:+@-]+)+$/, { error: 'must be a whole path, as in /dev/serial/by-id/usb-…' })
        .refine(path => !path.split('/').includes('..'), { error: 'must not climb up with ..' }),
    }),
    z.strictObject({
      usb: z.string().regex(/^[0-9a-f]{4}:[0-9a-f]{4}$/, { error: 'must be vendor:product, as in 1a86:7523' }),
      serial: z.string().min(1).max(100).optional(),
    }),
  ],
  { error: 'must have a path, or the usb numbers of the adapter' },
);
export type SerialPortChoice = z.infer<typeof serialPort>;

const speed = (usual: number) =>
  z
    .literal([1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200], { error: 'must be a usual speed' })
    .default(usual as 9600);
const parity = z.enum(['none', 'even', 'odd']).default('none');

/** The kernel's numbers of chips move between boards and kernels; labels stay. The first that is there is taken. */
const chipLabels = z.array(z.string().min(1).max(64)).min(1).max(8);
const offset = z.int().min(0).max(511);
const onChip = { chip: chipLabels };

/** Off is the safe state of every output: at the start, after a crash of the board, and when nobody asks for more. */
const gpioOutput = z.strictObject({ line: offset, active: z.enum(['high', 'low']).default('high'), wire });
const gpioInput = z.strictObject({
  line: offset,
  active: z.enum(['high', 'low']).default('low'),
  pull: z.enum(['up', 'down', 'none']).default('up'),
  debounce_ms: milliseconds(0, 1_000).default(30),
  wire,
});

const gpio = z.strictObject({
  driver: z.literal('gpio'),
  ...onChip,
  outputs: named(gpioOutput),
  inputs: named(gpioInput),
});

const wiegand = z.strictObject({
  driver: z.literal('wiegand'),
  ...onChip,
  d0: offset,
  d1: offset,
  /** How the keypad sends a key; `8_bit_reversed` has the inverted half behind. */
  keys: z.enum(['none', '4_bit', '8_bit', '8_bit_reversed']).default('none'),
  formats: z
    .array(z.literal([26, 34, 37]))
    .min(1)
    .max(3)
    .default([26, 34, 37]),
  uid_order: z.enum(['as_sent', 'reversed']).default('as_sent'),
  wire,
});

const matrixKeypad = z
  .strictObject({
    driver: z.literal('matrix-keypad'),
    ...onChip,
    rows: z.array(offset).min(1).max(8),
    columns: z.array(offset).min(1).max(8),
    /** One text a row, one character a column; letters and spaces are no keys. */
    keys: z
      .array(z.string().regex(/^[0-9A-D*# ]{1,8}$/, { error: 'may have 0-9 * # A-D and spaces' }))
      .min(1)
      .max(8),
    wire,
  })
  .check(({ value: { rows, columns, keys }, issues }) => {
    if (keys.length !== rows.length || keys.some(row => row.length !== columns.length))
      issues.push({
        code: 'custom',
        input: keys,
        path: ['keys'],
        message: 'must have a character for each row and column',
      });
    const pressed = keys.join('').replaceAll(' ', '');
    if (new Set(pressed).size < pressed.length)
      issues.push({ code: 'custom', input: keys, path: ['keys'], message: 'must not have a key twice' });
  });

const usbKeypad = z.strictObject({
  driver: z.literal('usb-keypad'),
  /** The name of the link below /dev/input/by-id; `*` stands for anything. */
  device: z
    .string()
    .regex(/^[\w.:*+-]{1,200}-event-kbd$/, { error: 'must end in -event-kbd' })
    .default('*-event-kbd'),
  wire,
});

const serialKeypad = z.strictObject({
  driver: z.literal('serial-keypad'),
  port: serialPort,
  baud_rate: speed(9600),
  parity,
  keys: serialKeys.optional(),
  wire,
});

/** `model` is part of the name that the PC/SC service gives the reader; left out: any that no other entry asks for. */
const pcscReader = z.strictObject({ model: z.string().min(1).max(100).optional(), wire });
const pcsc = z.strictObject({ driver: z.literal('pcsc'), readers: named(pcscReader) });

const pn532 = z.strictObject({ driver: z.literal('pn532'), port: serialPort, baud_rate: speed(115_200), wire });

const rdm6300 = z.strictObject({
  driver: z.literal('rdm6300'),
  port: serialPort,
  baud_rate: speed(9600),
  /** What of the tag's number is the card's uid: all five bytes, or the four that are printed on it. */
  uid: z.enum(['whole_tag', 'printed_number']).default('whole_tag'),
  wire,
});

const osdpOutput = z.union(
  [
    z.strictObject({ led: z.enum(['green', 'red', 'amber', 'blue']), wire }),
    z.strictObject({ buzzer: z.literal(true), wire }),
    z.strictObject({ output: z.int().min(0).max(31), wire }),
  ],
  { error: 'must be one of led, buzzer: true, output' },
);
const osdpInput = z.union(
  [
    z.strictObject({ input: z.int().min(0).max(31), active: z.enum(['on', 'off']).default('on'), wire }),
    z.strictObject({ tamper: z.literal(true), wire }),
    z.strictObject({ power_failed: z.literal(true), wire }),
  ],
  { error: 'must be one of input, tamper: true, power_failed: true' },
);
const osdpReader = z.strictObject({
  address: z.int().min(0).max(126),
  /**
   * `pair`: a reader without a key is given one of its own, once. `paired`: it has one already. `plain`: in the clear, and
   * anybody with a wire can open the door.
   */
  security: z.enum(['pair', 'paired', 'plain']).default('pair'),
  /** Readers that send the bytes of a uid from its end. */
  reversed: z.boolean().default(false),
  outputs: named(osdpOutput),
  inputs: named(osdpInput),
  wire,
});

const osdp = z
  .strictObject({
    driver: z.literal('osdp'),
    port: serialPort,
    baud_rate: speed(9600),
    readers: named(osdpReader),
  })
  .check(({ value: { readers }, issues }) => {
    const seen = new Set<number>();
    for (const [name, { address }] of Object.entries(readers)) {
      if (seen.has(address))
        issues.push({
          code: 'custom',
          input: address,
          path: ['readers', name, 'address'],
          message: `${address} is the address of another reader of this bus`,
        });
      seen.add(address);
    }
  });

const modbusOutput = z.strictObject({ unit: z.int().min(1).max(247), coil: z.int().min(0).max(65_535), wire });
const modbusInput = z.strictObject({
  unit: z.int().min(1).max(247),
  input: z.int().min(0).max(65_535),
  active: z.enum(['on', 'off']).default('on'),
  debounce_ms: milliseconds(0, 1_000).default(100),
  wire,
});
const modbus = z.strictObject({
  driver: z.literal('modbus'),
  port: serialPort,
  baud_rate: speed(9600),
  parity,
  /**
   * Boards that time a pulse by themselves lock again though the process is gone: `base` is added to the number of the
   * coil, and the value is a count of `unit_ms`. Left out: they cannot.
   */
  pulse: z.strictObject({ base: z.int().min(1).max(65_535), unit_ms: milliseconds(1, 10_000) }).optional(),
  outputs: named(modbusOutput),
  inputs: named(modbusInput),
});

const usbRelay = z.strictObject({
  driver: z.literal('usb-relay'),
  port: serialPort,
  /** The newer boards answer, and then it shows when one has lost its power. */
  answers: z.boolean().default(false),
  outputs: named(z.strictObject({ channel: z.int().min(1).max(8), wire })),
});

/** Parts to press, tap and watch through a socket instead of real ones. */
const simulated = z.strictObject({
  driver: z.literal('simulated'),
  outputs: named(z.strictObject({ wire })),
  inputs: named(z.strictObject({ wire })),
  keypads: z.array(partName).max(16).default([]),
  readers: z.array(partName).max(16).default([]),
});

export const bus = z.discriminatedUnion(
  'driver',
  [gpio, wiegand, matrixKeypad, usbKeypad, serialKeypad, pcsc, pn532, rdm6300, osdp, modbus, usbRelay, simulated],
  { error: 'must be a bus with a driver that exists' },
);
export type Bus = z.infer<typeof bus>;
export type BusOf<D extends Bus['driver']> = Extract<Bus, { driver: D }>;
