import type { BusWithDriver } from '@lintel/hardware-profiles/bus-schemas';
import { UsbKeypad } from '../../keypads/usb-keypad/usb-keypad.ts';
import { requireKeyboardPath } from '../keyboard-path.ts';
import type { OpenedBus } from '../opened-bus.ts';
import type { BusContext } from '../hardware-driver-context.ts';

export const openUsbKeypad = async (
  { device }: BusWithDriver<'usb-keypad'>,
  { clock, log, name }: BusContext,
): Promise<OpenedBus> => {
  const path = requireKeyboardPath(device);
  log('info', 'Keypad opened', { bus: name, path });
  const keypad = new UsbKeypad({ path, clock });
  return { keypads: new Map([[name, keypad]]), close: async () => keypad.close() };
};
