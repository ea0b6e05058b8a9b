import type { BusWithDriver } from '@lintel/hardware-profiles/bus-schemas';
import { openSpiDevice, type SpiDevice } from '@lintel/service/linux/spi';
import { Rc522Reader } from '../../readers/rc522/rc522-reader.ts';
import type { OpenedBus } from '../opened-bus.ts';
import type { BusContext } from '../hardware-driver-context.ts';

/** The chip allows 10 MHz; long wires do not. */
const SPI_SPEED_HZ = 1_000_000;

export const openRc522 = async (
  { device }: BusWithDriver<'rc522'>,
  { clock, log, name }: BusContext,
  open: () => SpiDevice = () => openSpiDevice(device, SPI_SPEED_HZ),
): Promise<OpenedBus> => {
  const reader = new Rc522Reader({ open, clock, log });
  return { readers: new Map([[name, reader]]), close: () => reader.close() };
};
