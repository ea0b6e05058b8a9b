import type { I2cByteBus } from '@lintel/service/linux/i2c';
import type { SpiDevice } from '@lintel/service/linux/spi';

/** A PN532 that is asked whether it has something to say. All methods throw if the bus fails. */
export interface Pn532Transport {
  write(frame: Uint8Array): void;
  isReady(): boolean;
  /** Reads from the beginning of the waiting frame. What follows the frame is undefined. */
  read(length: number): Uint8Array;
  close(): void;
}

/** User manual, 6.2.4: every read begins with a status byte whose lowest bit means ready. */
export const createPn532I2cTransport = (bus: I2cByteBus, address: number): Pn532Transport => ({
  write: frame => bus.send(address, frame),
  isReady: () => (bus.receive(address, 1)[0]! & 1) === 1,
  read: length => bus.receive(address, 1 + length).subarray(1),
  close: () => undefined,
});

const DATA_WRITE = 0x01;
const STATUS_READ = 0x02;
const DATA_READ = 0x03;

const reverseBits = (byte: number): number => {
  let reversed = 0;
  for (let bit = 0; bit < 8; bit++) reversed |= ((byte >> bit) & 1) << (7 - bit);
  return reversed;
};

/** User manual, 6.2.5: the least significant bit comes first, which the SPI of a Raspberry Pi cannot do itself. */
export const createPn532SpiTransport = (spi: SpiDevice): Pn532Transport => {
  const exchange = (bytes: Uint8Array): Uint8Array =>
    Uint8Array.from(spi.transfer(bytes.map(reverseBits)), reverseBits);
  return {
    write: frame => void exchange(Uint8Array.of(DATA_WRITE, ...frame)),
    isReady: () => (exchange(Uint8Array.of(STATUS_READ, 0))[1]! & 1) === 1,
    read: length => exchange(Uint8Array.of(DATA_READ, ...new Uint8Array(length))).subarray(1),
    close: () => spi.close(),
  };
};
