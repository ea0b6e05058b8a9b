import type { BusWithDriver } from '@lintel/hardware-profiles/bus-schemas';
import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';
import { linuxSystemCalls } from '@lintel/service/linux/linux-device-system-calls';
import { MatrixKeypad } from '../../keypads/matrix-keypad/matrix-keypad.ts';
import type { OpenedBus } from '../opened-bus.ts';
import type { BusContext } from '../hardware-driver-context.ts';

export const openMatrixKeypad = async (
  { chip, rows, columns, keys, settle_us }: BusWithDriver<'matrix-keypad'>,
  { clock, name }: BusContext,
  calls: DeviceSystemCalls = linuxSystemCalls,
): Promise<OpenedBus> => {
  const keypad = new MatrixKeypad({ chip, rows, columns, layout: keys, settle_us, clock, calls });
  return { keypads: new Map([[name, keypad]]), close: async () => keypad.close() };
};
