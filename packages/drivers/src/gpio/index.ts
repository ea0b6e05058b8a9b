import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';
import * as z from 'zod';
import type { BusContext, OpenedBus } from '../definition/context.ts';
import { defineDriver, lines } from '../definition/define-driver.ts';
import { createMillisecondsSchema, createRecordByPartNameSchema, wireDescriptionSchema } from '../definition/fields.ts';
import { lineRows, supplyRow, type WiringRow } from '../definition/wiring.ts';
import { describeGpioLine, gpioOffset, onChip, useGpioLine } from './chip-lines.ts';
import { checkGpioLines, gpioChips } from './doctor.ts';

/** Off is the safe state of each output: at startup, after a crash, and when idle. */
const gpioOutput = z.strictObject({
  line: gpioOffset,
  active: z.enum(['high', 'low']).default('high'),
  wire: wireDescriptionSchema,
});
const gpioInput = z.strictObject({
  line: gpioOffset,
  active: z.enum(['high', 'low']).default('low'),
  pull: z.enum(['up', 'down', 'none']).default('up'),
  debounce_ms: createMillisecondsSchema(0, 1_000).default(30),
  wire: wireDescriptionSchema,
});

const settings = z.strictObject({
  ...onChip,
  outputs: createRecordByPartNameSchema(gpioOutput),
  inputs: createRecordByPartNameSchema(gpioInput),
});

const GROUND = supplyRow('ground (pin 6)', 'ground of every board, contact and button');

/** Inputs pulled up to 5 V would damage the GPIO pins: the relay inputs use 3.3 V, the coils 5 V. */
const RELAY_SUPPLIES: readonly WiringRow[] = [
  supplyRow('3.3 V (pin 1)', 'relay board VCC (inputs); no jumper to JD-VCC'),
  supplyRow('5 V (pin 2)', 'relay board JD-VCC (coils), never its VCC'),
];

const mapped = <A, B>(lines: Readonly<Record<string, A>>, change: (line: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, change(line)]));

export const openGpio = async (
  { chip, ...bus }: z.output<typeof settings>,
  { clock }: BusContext,
  system: { readonly calls?: DeviceSystemCalls } = {},
): Promise<OpenedBus> => {
  const [{ GpioOutputs }, { GpioInputs }] = await Promise.all([import('./outputs.ts'), import('./inputs.ts')]);
  const outputs = new GpioOutputs({
    chip,
    clock,
    ...system,
    outputs: mapped(bus.outputs, ({ line, active }) => ({ line, active_low: active === 'low' })),
  });
  const inputs = new GpioInputs({
    chip,
    clock,
    ...system,
    inputs: mapped(bus.inputs, ({ line, active, pull, debounce_ms }) => ({
      line,
      active_low: active === 'low',
      pull,
      debounce_ms,
    })),
  });
  return {
    outputs,
    inputs,
    close: async () => {
      outputs.close();
      inputs.close();
    },
  };
};

/** Relays, contacts and buttons on the pins of the board. */
export const gpio = defineDriver({
  name: 'gpio',
  title: 'GPIO',
  settings,
  documentation: {
    products: 'relay boards, contacts and buttons on the pins of a Raspberry Pi',
    price: '€',
    interface: 'GPIO character device',
    since: '0.1.0',
    verified: 'kernel (gpio-sim), recorded',
    fields:
      '`chip` (labels; the first that exists), `outputs` (`line`, `active` high/low), `inputs` (`line`, `active`, `pull`, `debounce_ms`)',
    offers: 'outputs, inputs',
  },
  probes: [gpioChips],
  parts: lines,
  exclusive: ({ chip, outputs, inputs }) => [
    ...Object.entries(outputs).map(([name, { line }]) => useGpioLine(chip, line, ['outputs', name, 'line'])),
    ...Object.entries(inputs).map(([name, { line }]) => useGpioLine(chip, line, ['inputs', name, 'line'])),
  ],
  wiring: ({ chip, outputs, inputs }) => ({
    rows: [
      ...lineRows('output', outputs, ({ line }) => describeGpioLine(chip, line)),
      ...lineRows('input', inputs, ({ line }) => describeGpioLine(chip, line)),
      GROUND,
      ...(Object.keys(outputs).length > 0 ? RELAY_SUPPLIES : []),
    ],
  }),
  doctor: ({ chip, outputs, inputs }, check) =>
    checkGpioLines(
      check,
      chip,
      [...Object.entries(outputs), ...Object.entries(inputs)].map(([name, { line }]) => [name, line]),
    ),
  open: (bus, context) => openGpio(bus, context),
});
