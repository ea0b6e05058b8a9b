import type { BusWithDriver } from '@lintel/hardware-profiles/bus-schemas';
import { KeyboardWedgeReader } from '../../readers/keyboard-wedge/keyboard-wedge-reader.ts';
import { requireKeyboardPath } from '../keyboard-path.ts';
import type { OpenedBus } from '../opened-bus.ts';
import type { BusContext } from '../hardware-driver-context.ts';

export const openKeyboardWedge = async (
  { device, number, uid_order }: BusWithDriver<'keyboard-wedge'>,
  { clock, log, name }: BusContext,
): Promise<OpenedBus> => {
  const path = requireKeyboardPath(device);
  log('info', 'Card reader opened', { bus: name, path });
  const reader = new KeyboardWedgeReader({ path, clock, number, uid_order });
  return { readers: new Map([[name, reader]]), close: async () => reader.close() };
};
