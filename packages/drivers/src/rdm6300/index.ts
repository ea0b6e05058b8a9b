import * as z from 'zod';
import { defineDriver, onlyReader } from '../definition/define-driver.ts';
import { wireDescriptionSchema } from '../definition/fields.ts';
import { checkSerialPort, serialPorts } from '../serial-line/doctor.ts';
import {
  createBaudRateSchema,
  openSerialLine,
  serialPortSchema,
  serialRows,
  useSerialPort,
} from '../serial-line/serial-port.ts';

/** Readers for 125 kHz tags. */
export const rdm6300 = defineDriver({
  name: 'rdm6300',
  title: '125 kHz reader',
  settings: z.strictObject({
    port: serialPortSchema,
    baud_rate: createBaudRateSchema(9600),
    /** The card uid: all five bytes of the tag number, or the four that are printed on the tag. */
    uid: z.enum(['whole_tag', 'printed_number']).default('whole_tag'),
    wire: wireDescriptionSchema,
  }),
  documentation: {
    products: 'RDM6300, ID-12 and similar for 125 kHz tags',
    price: '€',
    interface: 'serial',
    since: '0.1.0',
    verified: 'recorded (an RDM630), simulated (pseudo terminal)',
    fields: '`port`, `baud_rate`, `uid` (`whole_tag`, `printed_number`)',
    offers: 'reader',
  },
  probes: [serialPorts],
  parts: onlyReader,
  exclusive: ({ port }) => useSerialPort(port),
  wiring: ({ port }) => ({ rows: serialRows(port, 'reader') }),
  doctor: checkSerialPort,
  open: async ({ port, baud_rate, uid }, { clock, name }) => {
    const { Rdm6300Reader } = await import('./reader.ts');
    const reader = new Rdm6300Reader({ line: await openSerialLine(port, { baud_rate }), clock, uid });
    return { readers: new Map([[name, reader]]), close: () => reader.close() };
  },
});
