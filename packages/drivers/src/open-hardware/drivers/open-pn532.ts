import type { BusWithDriver } from '@lintel/hardware-profiles/bus-schemas';
import { type I2cByteBus, openI2cBus } from '@lintel/service/linux/i2c';
import { openSpiDevice, type SpiDevice } from '@lintel/service/linux/spi';
import { Pn532Reader } from '../../readers/pn532/pn532-reader.ts';
import { createPn532I2cTransport, createPn532SpiTransport } from '../../readers/pn532/pn532-i2c-and-spi-transport.ts';
import { PolledPn532Line } from '../../readers/pn532/polled-pn532-line.ts';
import { ReconnectingSerialLine } from '../../serial-line/reconnecting-serial-line.ts';
import type { SerialLine } from '../../serial-line/serial-line-interface.ts';
import type { OpenedBus } from '../opened-bus.ts';
import type { BusContext } from '../hardware-driver-context.ts';
import { requireSerialPath } from '../serial-path.ts';
import { createNfcPhoneAuthenticator } from './create-nfc-phone-authenticator.ts';

/** The chip allows 5 MHz; long wires do not. */
const SPI_SPEED_HZ = 1_000_000;

const openReader = (line: SerialLine, link: 'serial' | 'pins', context: BusContext): OpenedBus => {
  const { clock, log, name } = context;
  const reader = new Pn532Reader({ line, link, clock, log, phones: createNfcPhoneAuthenticator(context) });
  return { readers: new Map([[name, reader]]), close: () => reader.close() };
};

export const openPn532 = async ({ port, baud_rate }: BusWithDriver<'pn532'>, context: BusContext): Promise<OpenedBus> =>
  openReader(new ReconnectingSerialLine({ path: requireSerialPath(port), baud_rate }), 'serial', context);

export const openPn532OnI2c = async (
  { bus, address }: BusWithDriver<'pn532-i2c'>,
  context: BusContext,
  i2c: I2cByteBus = openI2cBus(bus),
): Promise<OpenedBus> =>
  openReader(new PolledPn532Line(() => createPn532I2cTransport(i2c, address), context.clock), 'pins', context);

export const openPn532OnSpi = async (
  { device }: BusWithDriver<'pn532-spi'>,
  context: BusContext,
  open: () => SpiDevice = () => openSpiDevice(device, SPI_SPEED_HZ),
): Promise<OpenedBus> =>
  openReader(new PolledPn532Line(() => createPn532SpiTransport(open()), context.clock), 'pins', context);
