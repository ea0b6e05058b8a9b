import type { BusOf } from '@lintel/hardware-profiles/buses';
import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls';
import { linuxSystemCalls } from '@lintel/service/linux/linux-system-calls';
import { WiegandReader } from '../../readers/wiegand/wiegand-reader.ts';
import type { BusContext, OpenedBus } from '../opened-bus.ts';

export const openWiegand = async (
  { chip, d0, d1, keys, formats, uid_order }: BusOf<'wiegand'>,
  { clock, name }: BusContext,
  calls: DeviceSystemCalls = linuxSystemCalls,
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
