import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';
import * as z from 'zod';
import type { BusContext, OpenedBus } from '../definition/context.ts';
import { defineDriver, onlyKeypad } from '../definition/define-driver.ts';
import { wireDescriptionSchema } from '../definition/fields.ts';
import type { WiringRow } from '../definition/wiring.ts';
import { describeGpioLine, gpioOffset, onChip, useGpioLine } from '../gpio/chip-lines.ts';
import { checkGpioLines, gpioChips } from '../gpio/doctor.ts';

const settings = z
  .strictObject({
    ...onChip,
    rows: z.array(gpioOffset).min(1).max(8),
    columns: z.array(gpioOffset).min(1).max(8),
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

export const openMatrixKeypad = async (
  { chip, rows, columns, keys, settle_us }: z.output<typeof settings>,
  { clock, name }: BusContext,
  system: { readonly calls?: DeviceSystemCalls } = {},
): Promise<OpenedBus> => {
  const { MatrixKeypad } = await import('./keypad.ts');
  const keypad = new MatrixKeypad({ chip, rows, columns, layout: keys, settle_us, clock, ...system });
  return { keypads: new Map([[name, keypad]]), close: async () => keypad.close() };
};

/** A keypad of rows and columns on GPIO lines. */
export const matrixKeypad = defineDriver({
  name: 'matrix-keypad',
  title: 'Matrix keypad',
  settings,
  documentation: {
    products: 'keypads with rows and columns',
    price: '€',
    interface: 'GPIO',
    since: '0.1.0',
    verified: 'simulated',
    fields: '`chip`, `rows`, `columns`, `keys` (a text for each row), `settle_us` (20)',
    offers: 'keypad',
  },
  probes: [gpioChips],
  parts: onlyKeypad,
  exclusive: ({ chip, rows, columns }) => [
    ...rows.map((line, index) => useGpioLine(chip, line, ['rows', index])),
    ...columns.map((line, index) => useGpioLine(chip, line, ['columns', index])),
  ],
  wiring: ({ chip, rows, columns, keys }) => ({
    rows: [
      ...rows.map((line, index): WiringRow => {
        const to = `row ${index + 1}, keys ${keys[index]!.split('').join(' ')}`;
        return { kind: 'output', from: describeGpioLine(chip, line), to, name: '' };
      }),
      ...columns.map((line, index): WiringRow => {
        const to = `column ${index + 1}, keys ${keys.map(row => row[index]).join(' ')}`;
        return { kind: 'input', from: describeGpioLine(chip, line), to, name: '' };
      }),
    ],
  }),
  doctor: ({ chip, rows, columns }, check) =>
    checkGpioLines(check, chip, [
      ...rows.map((line, index) => [`row ${index + 1}`, line] as const),
      ...columns.map((line, index) => [`column ${index + 1}`, line] as const),
    ]),
  open: (bus, context) => openMatrixKeypad(bus, context),
});
