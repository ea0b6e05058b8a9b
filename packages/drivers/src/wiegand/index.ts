import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';
import * as z from 'zod';
import type { BusContext, OpenedBus } from '../definition/context.ts';
import { defineDriver, onlyKeypad, onlyReader } from '../definition/define-driver.ts';
import { uidOrderSchema, wireDescriptionSchema } from '../definition/fields.ts';
import { describeGpioLine, gpioOffset, onChip, useGpioLine } from '../gpio/chip-lines.ts';
import { checkGpioLines, gpioChips } from '../gpio/doctor.ts';
import { resolveWiegandFormat, wiegandFormatsSchema } from './formats.ts';

const settings = z
  .strictObject({
    ...onChip,
    d0: gpioOffset,
    d1: gpioOffset,
    /** Encoding of the keys. `8_bit_reversed` sends the inverted half last; `26_bit_pin` sends a PIN like a card. */
    keys: z.enum(['none', '4_bit', '8_bit', '8_bit_reversed', '26_bit_pin']).default('none'),
    /** For `26_bit_pin`: the facility code of PINs, which no card has, and their length, because zeros in front are lost. */
    pin: z.strictObject({ facility: z.int().min(0).max(255), digits: z.literal([4, 5]).default(4) }).optional(),
    formats: wiegandFormatsSchema.default([26, 34, 37]),
    uid_order: uidOrderSchema,
    wire: wireDescriptionSchema,
  })
  .check(({ value: { keys, pin }, issues }) => {
    if ((keys === '26_bit_pin') === (pin !== undefined)) return;
    const message = keys === '26_bit_pin' ? 'is required for 26_bit_pin' : 'is allowed for 26_bit_pin only';
    issues.push({ code: 'custom', input: pin, path: ['pin'], message });
  });

export const openWiegand = async (
  { chip, d0, d1, keys, pin, formats, uid_order }: z.output<typeof settings>,
  { clock, name }: BusContext,
  system: { readonly calls?: DeviceSystemCalls } = {},
): Promise<OpenedBus> => {
  const { WiegandReader } = await import('./reader.ts');
  const reader = new WiegandReader({
    chip,
    d0,
    d1,
    clock,
    formats: formats.map(resolveWiegandFormat),
    uid_order,
    keys: keys === 'none' || keys === '26_bit_pin' ? null : keys,
    pins: pin ?? null,
    ...system,
  });
  return {
    readers: new Map([[name, reader]]),
    keypads: new Map(keys === 'none' ? [] : [[name, reader]]),
    close: async () => reader.close(),
  };
};

/** A reader on two lines, with or without a keypad. */
export const wiegand = defineDriver({
  name: 'wiegand',
  title: 'Wiegand reader',
  settings,
  documentation: {
    products: 'readers and keypads with D0 and D1',
    price: '€€',
    interface: 'GPIO, two lines',
    since: '0.1.0',
    verified: 'kernel (gpio-sim, keypad), simulated',
    fields:
      '`chip`, `d0`, `d1`, `keys` (`none`, `4_bit`, `8_bit`, `8_bit_reversed`, `26_bit_pin`), `pin` (`facility`, `digits`), `formats`, `uid_order`',
    offers: 'reader, keypad',
  },
  probes: [gpioChips],
  parts: ({ keys }, bus) => ({ ...onlyReader({}, bus), ...(keys === 'none' ? {} : onlyKeypad({}, bus)) }),
  exclusive: ({ chip, d0, d1 }) => [useGpioLine(chip, d0, ['d0']), useGpioLine(chip, d1, ['d1'])],
  wiring: ({ chip, d0, d1 }) => ({
    rows: [
      { kind: 'input', from: describeGpioLine(chip, d0), to: 'D0 through a level shifter', name: '' },
      { kind: 'input', from: describeGpioLine(chip, d1), to: 'D1 through a level shifter', name: '' },
    ],
  }),
  doctor: ({ chip, d0, d1 }, check) =>
    checkGpioLines(check, chip, [
      ['D0', d0],
      ['D1', d1],
    ]),
  open: (bus, context) => openWiegand(bus, context),
});
