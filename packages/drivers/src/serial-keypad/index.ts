import * as z from 'zod';
import { defineDriver, onlyKeypad } from '../definition/define-driver.ts';
import { wireDescriptionSchema } from '../definition/fields.ts';
import { checkSerialPort, serialPorts } from '../serial-line/doctor.ts';
import {
  createBaudRateSchema,
  openSerialLine,
  paritySchema,
  serialPortSchema,
  serialRows,
  useSerialPort,
} from '../serial-line/serial-port.ts';

/** The byte for a name in `keys`: one character, or `0x` with two hexadecimal digits. */
const parseSerialKeyByteName = (name: string): number =>
  name.length === 1 ? name.charCodeAt(0) : Number.parseInt(name.slice(2), 16);

const byteName = z
  .string()
  .regex(/^(?:[!-~]|0x[0-9a-f]{2})$/, { error: 'must be one character, or a byte such as 0x1b' });

const mappedKey = z
  .literal(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#'], {
    error: 'must be one of 0-9 * #, or null to ignore the byte',
  })
  .nullable();

/** Maps bytes of a serial keypad to keys, in addition to the defaults. */
const serialKeypadKeysSchema = z.record(byteName, mappedKey).check(({ value, issues }) => {
  const seen = new Set<number>();
  for (const name of Object.keys(value)) {
    const byte = parseSerialKeyByteName(name);
    if (seen.has(byte))
      issues.push({ code: 'custom', input: value, path: [name], message: 'is a byte that is already mapped' });
    seen.add(byte);
  }
});

/** A keypad that sends text. */
export const serialKeypad = defineDriver({
  name: 'serial-keypad',
  title: 'Serial keypad',
  settings: z.strictObject({
    port: serialPortSchema,
    baud_rate: createBaudRateSchema(9600),
    parity: paritySchema,
    keys: serialKeypadKeysSchema.optional(),
    wire: wireDescriptionSchema,
  }),
  documentation: {
    products: 'keypads that send ASCII text',
    price: '€€',
    interface: 'serial',
    since: '0.1.0',
    verified: 'simulated (pseudo terminal)',
    fields: '`port`, `baud_rate`, `parity`, `keys` (see [Serial keypads](#serial-keypads))',
    offers: 'keypad',
  },
  probes: [serialPorts],
  parts: onlyKeypad,
  exclusive: ({ port }) => useSerialPort(port),
  wiring: ({ port }) => ({ rows: serialRows(port, 'keypad') }),
  doctor: checkSerialPort,
  open: async ({ port, baud_rate, parity, keys = {} }, { clock, name }) => {
    const { SerialKeypad } = await import('./keypad.ts');
    const line = await openSerialLine(port, { baud_rate, parity });
    const meanings = Object.entries(keys).map(([byte, key]) => [parseSerialKeyByteName(byte), key] as const);
    const keypad = new SerialKeypad({ line, clock, keys: new Map(meanings) });
    return { keypads: new Map([[name, keypad]]), close: () => keypad.close() };
  },
});
