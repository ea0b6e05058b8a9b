import * as z from 'zod';
import { channelsOf, defineDriver, lines } from '../definition/define-driver.ts';
import { createRecordByPartNameSchema, wireDescriptionSchema } from '../definition/fields.ts';
import { lineRows } from '../definition/wiring.ts';
import { checkSerialPort, serialPorts } from '../serial-line/doctor.ts';
import { openSerialLine, serialPlugRow, serialPortSchema, useSerialPort } from '../serial-line/serial-port.ts';

const BAUD_RATE = 9_600;

/** USB relays of the LCUS type. */
export const usbRelay = defineDriver({
  name: 'usb-relay',
  title: 'USB relays',
  settings: z.strictObject({
    port: serialPortSchema,
    /** Newer boards respond to commands, which allows the detection of a power loss. */
    answers: z.boolean().default(false),
    outputs: createRecordByPartNameSchema(
      z.strictObject({ channel: z.int().min(1).max(8), wire: wireDescriptionSchema }),
    ),
  }),
  documentation: {
    products: 'USB relays of the LCUS type (CH340)',
    price: '€',
    interface: 'USB, serial',
    since: '0.1.0',
    verified: 'simulated (pseudo terminal)',
    fields: '`port`, `answers`, `outputs` (`channel`)',
    offers: 'outputs',
  },
  probes: [serialPorts],
  parts: lines,
  exclusive: ({ port }) => useSerialPort(port),
  channels: ({ outputs }) => channelsOf('outputs', outputs, 'channel'),
  wiring: ({ port, outputs }) => ({
    rows: [serialPlugRow(port, 'relay board')],
    boards: [
      {
        title: 'Switched',
        board: 'Relay board',
        rows: lineRows('output', outputs, ({ channel }) => `relay ${channel}`),
      },
    ],
  }),
  doctor: checkSerialPort,
  open: async ({ port, answers, outputs }, { clock }) => {
    const { LcusRelay } = await import('./board.ts');
    const line = await openSerialLine(port, { baud_rate: BAUD_RATE });
    const channels = Object.fromEntries(Object.entries(outputs).map(([name, { channel }]) => [name, channel]));
    const board = new LcusRelay({ line, clock, outputs: channels, answers });
    return { outputs: board, close: () => board.close() };
  },
});
