import type { I2cByteBus } from '@lintel/service/linux/i2c';
import type { SpiDevice } from '@lintel/service/linux/spi';
import * as z from 'zod';
import type { BusContext, OpenedBus } from '../definition/context.ts';
import { defineDriver, onlyReader } from '../definition/define-driver.ts';
import { wireDescriptionSchema } from '../definition/fields.ts';
import {
  checkI2cBus,
  checkSpiDevice,
  i2cAddressSchema,
  i2cBusNumberSchema,
  i2cRows,
  spiDeviceSchema,
  spiRows,
  useI2cAddress,
  useSpiDevice,
} from '../i2c-spi/header-pins.ts';
import { checkSerialPort, serialPorts } from '../serial-line/doctor.ts';
import type { SerialLine } from '../serial-line/serial-line-interface.ts';
import {
  createBaudRateSchema,
  openSerialLine,
  serialPortSchema,
  serialRows,
  useSerialPort,
} from '../serial-line/serial-port.ts';

/* Boards with a PN532, which a switch sets to serial, I2C or SPI. */

/** The chip allows 5 MHz; long wires do not. */
const SPI_SPEED_HZ = 1_000_000;

const openReader = async (line: SerialLine, link: 'serial' | 'pins', context: BusContext): Promise<OpenedBus> => {
  const [{ Pn532Reader }, { createNfcPhoneAuthenticator }] = await Promise.all([
    import('./reader.ts'),
    import('../taps/nfc-phone.ts'),
  ]);
  const { clock, log, name } = context;
  const reader = new Pn532Reader({ line, link, clock, log, phones: createNfcPhoneAuthenticator(context) });
  return { readers: new Map([[name, reader]]), close: () => reader.close() };
};

export const pn532 = defineDriver({
  name: 'pn532',
  title: 'PN532',
  settings: z.strictObject({
    port: serialPortSchema,
    baud_rate: createBaudRateSchema(115_200),
    wire: wireDescriptionSchema,
  }),
  documentation: {
    products: 'PN532 boards',
    price: '€',
    interface: 'serial',
    since: '0.1.0',
    verified: 'simulated (pseudo terminal; the chip is also read by libnfc)',
    fields: '`port`, `baud_rate`',
    offers: 'reader',
  },
  probes: [serialPorts],
  parts: onlyReader,
  exclusive: ({ port }) => useSerialPort(port),
  wiring: ({ port }) => ({ rows: serialRows(port, 'PN532') }),
  doctor: checkSerialPort,
  open: async ({ port, baud_rate }, context) =>
    openReader(await openSerialLine(port, { baud_rate }), 'serial', context),
});

const i2cSettings = z.strictObject({
  bus: i2cBusNumberSchema,
  address: i2cAddressSchema.default(0x24),
  wire: wireDescriptionSchema,
});

export const openPn532OnI2c = async (
  { bus, address }: z.output<typeof i2cSettings>,
  context: BusContext,
  opened?: I2cByteBus,
): Promise<OpenedBus> => {
  const { createPn532I2cTransport, PolledPn532Line } = await import('./transport.ts');
  const i2c = opened ?? (await import('@lintel/service/linux/i2c')).openI2cBus(bus);
  return openReader(new PolledPn532Line(() => createPn532I2cTransport(i2c, address), context.clock), 'pins', context);
};

export const pn532I2c = defineDriver({
  name: 'pn532-i2c',
  title: 'PN532',
  settings: i2cSettings,
  documentation: {
    products: 'PN532 boards',
    price: '€',
    interface: 'I2C',
    since: '0.1.0',
    verified: "simulated (the chip is also read by Adafruit's driver), recorded",
    fields: '`bus` (1), `address` (36)',
    offers: 'reader',
  },
  parts: onlyReader,
  exclusive: useI2cAddress,
  wiring: () => ({ rows: i2cRows('PN532 (switches: I2C)') }),
  doctor: checkI2cBus,
  open: (bus, context) => openPn532OnI2c(bus, context),
});

const spiSettings = z.strictObject({ device: spiDeviceSchema, wire: wireDescriptionSchema });

export const openPn532OnSpi = async (
  { device }: z.output<typeof spiSettings>,
  context: BusContext,
  openDevice?: () => SpiDevice,
): Promise<OpenedBus> => {
  const [{ createPn532SpiTransport, PolledPn532Line }, { openSpiDevice }] = await Promise.all([
    import('./transport.ts'),
    import('@lintel/service/linux/spi'),
  ]);
  const open = openDevice ?? (() => openSpiDevice(device, SPI_SPEED_HZ));
  return openReader(new PolledPn532Line(() => createPn532SpiTransport(open()), context.clock), 'pins', context);
};

export const pn532Spi = defineDriver({
  name: 'pn532-spi',
  title: 'PN532',
  settings: spiSettings,
  documentation: {
    products: 'PN532 boards',
    price: '€',
    interface: 'SPI',
    since: '0.1.0',
    verified: "simulated (the chip is also read by Adafruit's driver), recorded",
    fields: '`device` (`/dev/spidev0.0`)',
    offers: 'reader',
  },
  parts: onlyReader,
  exclusive: useSpiDevice,
  wiring: ({ device }) => ({ rows: spiRows(device, 'PN532 (switches: SPI)') }),
  doctor: checkSpiDevice,
  open: (bus, context) => openPn532OnSpi(bus, context),
});
