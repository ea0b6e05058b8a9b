import type { BusOf } from '@lintel/hardware-profiles/buses';
import { UsbKeypad } from '../../keypads/usb-keypad/usb-keypad.ts';
import { keypadPathOf } from '../keypad-link.ts';
import type { BusContext, OpenedBus } from '../opened-bus.ts';

export const openUsbKeypad = async (
  { device }: BusOf<'usb-keypad'>,
  { clock, log, name }: BusContext,
): Promise<OpenedBus> => {
  const path = keypadPathOf(device);
  log('info', 'a keypad is taken', { bus: name, path });
  const keypad = new UsbKeypad({ path, clock });
  return { keypads: new Map([[name, keypad]]), close: async () => keypad.close() };
};
