import type { I2cRegisterBus } from '@lintel/service/linux/i2c';
import * as z from 'zod';
import type { BusContext, OpenedBus } from '../definition/context.ts';
import { channelsOf, defineDriver, lines } from '../definition/define-driver.ts';
import { createMillisecondsSchema, createRecordByPartNameSchema, wireDescriptionSchema } from '../definition/fields.ts';
import { lineRows } from '../definition/wiring.ts';
import { checkI2cBus, i2cBusNumberSchema, i2cRows, useI2cAddress } from '../i2c-spi/header-pins.ts';

const line = z.int().min(0).max(15);

/** Relay boards with a port expander. Lines 0 to 7 are GPA0 to GPA7, 8 to 15 are GPB0 to GPB7. */
const settings = z.strictObject({
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

const describePin = (pin: number): string => `GP${pin < 8 ? 'A' : 'B'}${pin % 8}`;

const maskOf = (used: readonly { readonly line: number }[]): number =>
  used.reduce((mask, { line: pin }) => mask | (1 << pin), 0);

export const openMcp23017 = async (
  { bus, address, outputs, inputs }: z.output<typeof settings>,
  { clock }: BusContext,
  opened?: I2cRegisterBus,
): Promise<OpenedBus> => {
  const [{ createMcp23017Link, Mcp23017, Mcp23017Inputs }, { ConfirmedRelays }] = await Promise.all([
    import('./board.ts'),
    import('../relay-boards/confirmed-relays.ts'),
  ]);
  const i2c = opened ?? (await import('@lintel/service/linux/i2c')).openI2cBus(bus);
  const relays = Object.values(outputs);
  const chip = new Mcp23017(i2c, address, {
    outputs: maskOf(relays),
    offLevels: maskOf(relays.filter(({ active }) => active === 'low')),
    inputs: maskOf(Object.values(inputs).filter(({ pull }) => pull === 'up')),
  });
  const board = new ConfirmedRelays({ clock, outputs: Object.keys(outputs), link: createMcp23017Link(chip, outputs) });
  const contacts = new Mcp23017Inputs({ chip, clock, inputs });
  return {
    outputs: board,
    inputs: contacts,
    close: async () => {
      contacts.close();
      await board.close();
    },
  };
};

export const mcp23017 = defineDriver({
  name: 'mcp23017',
  title: 'Relay board on I2C',
  settings,
  documentation: {
    products: 'relay HATs and input boards with an MCP23017',
    price: '€',
    interface: 'I2C',
    since: '0.1.0',
    verified:
      "kernel (i2c-stub), simulated (the chip is also used by Adafruit's driver and responds like a recorded one)",
    fields:
      '`bus` (1), `address` (32), `outputs` (`line`, `active`), `inputs` (`line`, `active`, `pull`, `debounce_ms`); see its [page](hardware/rpi-relay-hat.md)',
    offers: 'outputs, inputs',
  },
  parts: lines,
  exclusive: useI2cAddress,
  channels: ({ outputs, inputs }) => [
    ...channelsOf('outputs', outputs, 'line'),
    ...channelsOf('inputs', inputs, 'line'),
  ],
  wiring: ({ address, outputs, inputs }) => ({
    rows: i2cRows(`relay board, address 0x${address.toString(16)}`),
    boards: [
      {
        title: 'Switched and read',
        board: 'Relay board',
        rows: [
          ...lineRows('output', outputs, ({ line: pin }) => describePin(pin)),
          ...lineRows('input', inputs, ({ line: pin }) => describePin(pin)),
        ],
      },
    ],
  }),
  doctor: checkI2cBus,
  open: (bus, context) => openMcp23017(bus, context),
});
