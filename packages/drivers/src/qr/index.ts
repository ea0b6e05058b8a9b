import * as z from 'zod';
import { defineDriver, onlyReader } from '../definition/define-driver.ts';
import { wireDescriptionSchema } from '../definition/fields.ts';
import { plugRow } from '../definition/wiring.ts';
import { checkKeyboard, keyboardNameSchema, keyboards, requireKeyboardPath, useKeyboard } from '../evdev/keyboard.ts';
import { checkSerialPort, serialPorts } from '../serial-line/doctor.ts';
import {
  createBaudRateSchema,
  openSerialLine,
  serialPortSchema,
  serialRows,
  useSerialPort,
} from '../serial-line/serial-port.ts';

/* Readers for the QR codes of magic links, which send the text of a code and the end of a line. */

export const qrKeyboard = defineDriver({
  name: 'qr-keyboard',
  title: 'QR reader',
  settings: z.strictObject({
    /** Required, because a keypad is a keyboard too. */
    device: keyboardNameSchema,
    wire: wireDescriptionSchema,
  }),
  documentation: {
    products: 'USB QR readers that act as a keyboard, for [magic links](hardware/usb-qr.md)',
    price: '€€',
    interface: 'USB, evdev',
    since: '0.1.0',
    verified: 'recorded',
    fields: '`device`: the name in `/dev/input/by-id`, `*` as wildcard; see its [page](hardware/usb-qr.md)',
    offers: 'reader of magic links',
  },
  reads: 'magic_links',
  probes: [keyboards],
  parts: onlyReader,
  exclusive: ({ device }) => useKeyboard(device),
  wiring: ({ wire }, bus) => ({ rows: [plugRow('USB', wire ?? 'QR reader', bus)] }),
  doctor: (bus, check) => checkKeyboard(check, bus, 'USB QR reader'),
  open: async ({ device }, { clock, log, name }) => {
    const { KeyboardQrReader } = await import('./readers.ts');
    const path = requireKeyboardPath(device);
    log('info', 'QR reader opened', { bus: name, path });
    const reader = new KeyboardQrReader({ path, clock });
    return { readers: new Map([[name, reader]]), close: async () => reader.close() };
  },
});

export const qrSerial = defineDriver({
  name: 'qr-serial',
  title: 'QR reader',
  settings: z.strictObject({
    port: serialPortSchema,
    baud_rate: createBaudRateSchema(9600),
    wire: wireDescriptionSchema,
  }),
  documentation: {
    products: 'QR readers with a serial port or USB COM mode, for [magic links](hardware/usb-qr.md)',
    price: '€€',
    interface: 'serial, USB',
    since: '0.1.0',
    verified: 'simulated (pseudo terminal)',
    fields: '`port`, `baud_rate` (9600); see its [page](hardware/usb-qr.md)',
    offers: 'reader of magic links',
  },
  reads: 'magic_links',
  probes: [serialPorts],
  parts: onlyReader,
  exclusive: ({ port }) => useSerialPort(port),
  wiring: ({ port }) => ({ rows: serialRows(port, 'QR reader') }),
  doctor: checkSerialPort,
  open: async ({ port, baud_rate }, { clock, name }) => {
    const { SerialQrReader } = await import('./readers.ts');
    const reader = new SerialQrReader({ line: await openSerialLine(port, { baud_rate }), clock });
    return { readers: new Map([[name, reader]]), close: () => reader.close() };
  },
});
