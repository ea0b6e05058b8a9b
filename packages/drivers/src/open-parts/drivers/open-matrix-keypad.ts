import type { BusOf } from '@lintel/hardware-profiles/buses';
import type { DeviceCalls } from '@lintel/service/linux/device-calls';
import { linuxCalls } from '@lintel/service/linux/linux-calls';
import { MatrixKeypad } from '../../keypads/matrix-keypad/matrix-keypad.ts';
import type { BusContext, OpenedBus } from '../opened-bus.ts';

export const openMatrixKeypad = async (
  { chip, rows, columns, keys }: BusOf<'matrix-keypad'>,
  { clock, name }: BusContext,
  calls: DeviceCalls = linuxCalls,
): Promise<OpenedBus> => {
  const keypad = new MatrixKeypad({ chip, rows, columns, layout: keys, clock, calls });
  return { keypads: new Map([[name, keypad]]), close: async () => keypad.close() };
};
