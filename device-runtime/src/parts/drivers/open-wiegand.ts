import type { BusOf } from '@lintel/hardware-profiles/buses';
import type { DeviceCalls } from '../../adapters/linux-device/device-calls.ts';
import { linuxCalls } from '../../adapters/linux-device/linux-calls.ts';
import { WiegandReader } from '../../adapters/wiegand/wiegand-reader.ts';
import type { BusContext, OpenedBus } from '../opened-bus.ts';

export const openWiegand = async (
  { chip, d0, d1, keys, formats, uid_order }: BusOf<'wiegand'>,
  { clock, name }: BusContext,
  calls: DeviceCalls = linuxCalls,
): Promise<OpenedBus> => {
  const reader = new WiegandReader({
    chip,
    d0,
    d1,
    clock,
    formats,
    uid_order,
    keys: keys === 'none' ? null : keys,
    calls,
  });
  return {
    readers: new Map([[name, reader]]),
    keypads: new Map(keys === 'none' ? [] : [[name, reader]]),
    close: async () => reader.close(),
  };
};
