import * as z from 'zod';
import { defineDriver, onlyReader } from '../definition/define-driver.ts';
import { wireDescriptionSchema } from '../definition/fields.ts';
import { supplyRow } from '../definition/wiring.ts';
import { checkSpiDevice, spiDeviceSchema, spiRows, useSpiDevice } from '../i2c-spi/header-pins.ts';

/** The chip allows 10 MHz; long wires do not. */
const SPI_SPEED_HZ = 1_000_000;

/** Boards with an RC522 on SPI. */
export const rc522 = defineDriver({
  name: 'rc522',
  title: 'RC522',
  settings: z.strictObject({ device: spiDeviceSchema, wire: wireDescriptionSchema }),
  documentation: {
    products: 'RC522 boards, cards only',
    price: '€',
    interface: 'SPI',
    since: '0.1.0',
    verified: 'simulated (the chip is also read by the driver of mfrc522), recorded',
    fields: '`device` (`/dev/spidev0.0`)',
    offers: 'reader',
  },
  parts: onlyReader,
  exclusive: useSpiDevice,
  // The chip works only while its reset input is high.
  wiring: ({ device }) => ({ rows: [...spiRows(device, 'RC522'), supplyRow('3.3 V (pin 17)', 'RC522 RST')] }),
  doctor: checkSpiDevice,
  open: async ({ device }, { clock, log, name }) => {
    const [{ Rc522Reader }, { openSpiDevice }] = await Promise.all([
      import('./reader.ts'),
      import('@lintel/service/linux/spi'),
    ]);
    const reader = new Rc522Reader({ open: () => openSpiDevice(device, SPI_SPEED_HZ), clock, log });
    return { readers: new Map([[name, reader]]), close: () => reader.close() };
  },
});
