import type { BusWithDriver } from '@lintel/hardware-profiles/bus-schemas';
import { ReconnectingSerialLine } from '../../serial-line/reconnecting-serial-line.ts';
import { LcusRelay } from '../../relays/usb-relay/lcus-relay.ts';
import type { OpenedBus } from '../opened-bus.ts';
import type { BusContext } from '../hardware-driver-context.ts';
import { requireSerialPath } from '../serial-path.ts';

const BAUD_RATE = 9_600;

export const openUsbRelay = async (
  { port, answers, outputs }: BusWithDriver<'usb-relay'>,
  { clock }: BusContext,
): Promise<OpenedBus> => {
  const line = new ReconnectingSerialLine({ path: requireSerialPath(port), baud_rate: BAUD_RATE });
  const channels = Object.fromEntries(Object.entries(outputs).map(([name, { channel }]) => [name, channel]));
  const board = new LcusRelay({ line, clock, outputs: channels, answers });
  return { outputs: board, close: () => board.close() };
};
