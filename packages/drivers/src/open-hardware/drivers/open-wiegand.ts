import type { BusWithDriver } from '@lintel/hardware-profiles/bus-schemas';
import { resolveWiegandFormat } from '@lintel/hardware-profiles/wiegand-formats';
import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';
import { linuxSystemCalls } from '@lintel/service/linux/linux-device-system-calls';
import { WiegandReader } from '../../readers/wiegand/wiegand-reader.ts';
import type { OpenedBus } from '../opened-bus.ts';
import type { BusContext } from '../hardware-driver-context.ts';

export const openWiegand = async (
  { chip, d0, d1, keys, pin, formats, uid_order }: BusWithDriver<'wiegand'>,
  { clock, name }: BusContext,
  calls: DeviceSystemCalls = linuxSystemCalls,
): Promise<OpenedBus> => {
  const reader = new WiegandReader({
    chip,
    d0,
    d1,
    clock,
    formats: formats.map(resolveWiegandFormat),
    uid_order,
    keys: keys === 'none' || keys === '26_bit_pin' ? null : keys,
    pins: pin ?? null,
    calls,
  });
  return {
    readers: new Map([[name, reader]]),
    keypads: new Map(keys === 'none' ? [] : [[name, reader]]),
    close: async () => reader.close(),
  };
};
