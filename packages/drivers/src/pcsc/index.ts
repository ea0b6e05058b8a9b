import * as z from 'zod';
import type { PcscReaderChoice } from './session.ts';
import { defineDriver, singleBus } from '../definition/define-driver.ts';
import { createRecordByPartNameSchema, usbPathSchema, wireDescriptionSchema } from '../definition/fields.ts';
import { plugRow } from '../definition/wiring.ts';
import { checkPcscReaders, pcscReaders } from './doctor.ts';

/**
 * `model`: part of the reader's PC/SC name. `usb_path` and `serial`: the USB port and the serial number, which tell equal
 * readers apart. `assign`: a technician chooses the reader on site by presenting a card. Without any: each reader that no
 * other entry matches.
 */
const pcscReader = z.strictObject({
  model: z.string().min(1).max(100).optional(),
  usb_path: usbPathSchema,
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

const settings = z
  .strictObject({ readers: createRecordByPartNameSchema(pcscReader) })
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

/** All readers that the PC/SC service supports. A machine has one such service. */
export const pcsc = defineDriver({
  name: 'pcsc',
  title: 'PC/SC reader',
  settings,
  documentation: {
    products: 'ACR122U, ACR1252U and all readers that pcscd supports',
    price: '€€',
    interface: 'USB, PC/SC',
    since: '0.1.0',
    verified: 'counterpart (pcscd, vpcd); USB ports of equal readers: recorded',
    fields:
      "`readers` by name, each with `model` (part of the reader's name), `usb_path`, `serial`, or `assign` (`by_tap`); see [PC/SC](hardware/nfc.md#pcsc-acr122u-and-all-readers-that-pcscd-supports)",
    offers: 'readers',
  },
  probes: [pcscReaders],
  parts: ({ readers }) => ({ readers: Object.keys(readers).map(name => [name, ['readers', name]]) }),
  exclusive: () => [singleBus('pcsc')],
  wiring: ({ readers }) => ({
    rows: Object.entries(readers).map(([name, { wire, usb_path }]) =>
      plugRow(usb_path === undefined ? 'USB' : `USB port ${usb_path}`, wire ?? name, name),
    ),
  }),
  doctor: ({ readers }, check) => checkPcscReaders(readers, check),
  open: async (bus, context) => {
    const [{ PcscReaders }, { createNfcPhoneAuthenticator }] = await Promise.all([
      import('./readers.ts'),
      import('../taps/nfc-phone.ts'),
    ]);
    const { clock, log, pcscReaders: assignments } = context;
    const service = new PcscReaders({ clock, log, phones: createNfcPhoneAuthenticator(context) });
    const choose =
      (name: string, { assign, ...choice }: PcscReaderEntry) =>
      (): PcscReaderChoice => {
        if (assign === undefined) return choice;
        const usb_path = assignments?.usbPathOf(name) ?? null;
        return usb_path === null ? { ...choice, isUnassigned: true } : { ...choice, usb_path };
      };
    const readers = Object.entries(bus.readers).map(
      ([name, entry]) => [name, service.reader(choose(name, entry))] as const,
    );
    assignments?.onChange(() => service.choicesChanged());
    return { readers: new Map(readers), close: async () => service.close() };
  },
});
