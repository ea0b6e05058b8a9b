import type { BusWithDriver } from '@lintel/hardware-profiles/buses';
import { UsbKeypad } from '../../keypads/usb-keypad/usb-keypad.ts';
import { requireKeypadPath } from '../keypad-path.ts';
import type { BusContext, OpenedBus } from '../opened-bus.ts';

export const openUsbKeypad = async (
  { device }: BusWithDriver<'usb-keypad'>,
  { clock, log, name }: BusContext,
): Promise<OpenedBus> => {
  const path = requireKeypadPath(device);
  log('info', 'Keypad opened', { bus: name, path });
  const keypad = new UsbKeypad({ path, clock });
  return { keypads: new Map([[name, keypad]]), close: async () => keypad.close() };
};
