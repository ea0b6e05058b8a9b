import type { BusWithDriver } from '@lintel/hardware-profiles/bus-schemas';
import { PcscReaders } from '../../readers/pcsc/pcsc-readers.ts';
import type { PcscReaderChoice } from '../../readers/pcsc/pcsc-reader.ts';
import type { OpenedBus } from '../opened-bus.ts';
import type { BusContext } from '../hardware-driver-context.ts';
import { createNfcPhoneAuthenticator } from './create-nfc-phone-authenticator.ts';

export const openPcsc = async (bus: BusWithDriver<'pcsc'>, context: BusContext): Promise<OpenedBus> => {
  const { clock, log, pcscReaders: assignments } = context;
  const service = new PcscReaders({ clock, log, phones: createNfcPhoneAuthenticator(context) });
  const choose =
    (name: string, { assign, ...choice }: (typeof bus.readers)[string]) =>
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
};
