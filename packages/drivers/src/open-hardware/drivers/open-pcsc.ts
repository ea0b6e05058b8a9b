import type { BusWithDriver } from '@lintel/hardware-profiles/buses';
import { PcscReaders } from '../../readers/pcsc/pcsc-readers.ts';
import type { BusContext, OpenedBus } from '../opened-bus.ts';
import { createPhoneAuthenticator } from './create-phone-authenticator.ts';

export const openPcsc = async (bus: BusWithDriver<'pcsc'>, context: BusContext): Promise<OpenedBus> => {
  const { clock, log } = context;
  const service = new PcscReaders({ clock, log, phones: createPhoneAuthenticator(context) });
  const readers = Object.entries(bus.readers).map(([name, choice]) => [name, service.reader(choice)] as const);
  return { readers: new Map(readers), close: async () => service.close() };
};
