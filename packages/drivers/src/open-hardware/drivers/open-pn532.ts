import type { BusWithDriver } from '@lintel/hardware-profiles/buses';
import { Pn532Reader } from '../../readers/pn532/pn532-reader.ts';
import { ReconnectingSerialLine } from '../../serial-line/serial-line.ts';
import type { BusContext, OpenedBus } from '../opened-bus.ts';
import { findSerialPath } from '../serial-path.ts';
import { createPhoneAuthenticator } from './create-phone-authenticator.ts';

export const openPn532 = async (
  { port, baud_rate }: BusWithDriver<'pn532'>,
  context: BusContext,
): Promise<OpenedBus> => {
  const { clock, log, name } = context;
  const line = new ReconnectingSerialLine({ path: findSerialPath(port), baud_rate });
  const reader = new Pn532Reader({ line, clock, log, phones: createPhoneAuthenticator(context) });
  return { readers: new Map([[name, reader]]), close: () => reader.close() };
};
