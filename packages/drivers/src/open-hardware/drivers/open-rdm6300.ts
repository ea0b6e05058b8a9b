import type { BusWithDriver } from '@lintel/hardware-profiles/bus-schemas';
import { Rdm6300Reader } from '../../readers/rdm6300/rdm6300-reader.ts';
import { ReconnectingSerialLine } from '../../serial-line/reconnecting-serial-line.ts';
import type { OpenedBus } from '../opened-bus.ts';
import type { BusContext } from '../hardware-driver-context.ts';
import { requireSerialPath } from '../serial-path.ts';

export const openRdm6300 = async (
  { port, baud_rate, uid }: BusWithDriver<'rdm6300'>,
  { clock, name }: BusContext,
): Promise<OpenedBus> => {
  const line = new ReconnectingSerialLine({ path: requireSerialPath(port), baud_rate });
  const reader = new Rdm6300Reader({ line, clock, uid });
  return { readers: new Map([[name, reader]]), close: () => reader.close() };
};
