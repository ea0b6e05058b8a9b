import type { BusWithDriver } from '@lintel/hardware-profiles/bus-schemas';
import { parseSerialKeyByteName } from '@lintel/hardware-profiles/serial-keypad-keys';
import { ReconnectingSerialLine } from '../../serial-line/reconnecting-serial-line.ts';
import { SerialKeypad } from '../../keypads/serial-keypad/serial-keypad.ts';
import type { OpenedBus } from '../opened-bus.ts';
import type { BusContext } from '../hardware-driver-context.ts';
import { requireSerialPath } from '../serial-path.ts';

export const openSerialKeypad = async (
  { port, baud_rate, parity, keys = {} }: BusWithDriver<'serial-keypad'>,
  { clock, name }: BusContext,
): Promise<OpenedBus> => {
  const line = new ReconnectingSerialLine({ path: requireSerialPath(port), baud_rate, parity });
  const meanings = Object.entries(keys).map(([byte, key]) => [parseSerialKeyByteName(byte), key] as const);
  const keypad = new SerialKeypad({ line, clock, keys: new Map(meanings) });
  return { keypads: new Map([[name, keypad]]), close: () => keypad.close() };
};
