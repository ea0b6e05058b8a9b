import type { I2cByteBus } from '@lintel/service/linux/i2c';
import type { SpiDevice } from '@lintel/service/linux/spi';
import type { Pn532Line } from './simulated-pn532.ts';

/* How a PN532 is connected to I2C and SPI (user manual, 6.2.4 and 6.2.5). Shares no code with the driver. */

/** Keeps the frames of the module until the host reads them. */
class Pn532FrameBuffer implements Pn532Line {
  readonly #frames: Uint8Array[] = [];
  #listener: (bytes: Uint8Array) => void = () => undefined;
  isConnected = true;

  onBytes(listener: (bytes: Uint8Array) => void): void {
    this.#listener = listener;
  }

  async write(frame: Uint8Array): Promise<void> {
    this.#frames.push(frame);
  }

  /** The first transfer wakes the module, and a command ends what it was doing. */
  fromHost(bytes: Uint8Array): void {
    this.#frames.length = 0;
    this.#listener(Uint8Array.of(0x55, ...bytes));
  }

  get isReady(): boolean {
    return this.#frames.length > 0;
  }

  /** After the end of a frame the bus floats high. */
  toHost(length: number): Uint8Array {
    const frame = this.#frames.shift() ?? new Uint8Array();
    return Uint8Array.from({ length }, (_, at) => frame[at] ?? 0xff);
  }
}

export const connectPn532ToI2c = (address: number) => {
  const line = new Pn532FrameBuffer();
  const check = (asked: number): void => {
    if (asked !== address || !line.isConnected)
      throw Object.assign(new Error('ioctl: EREMOTEIO'), { code: 'EREMOTEIO' });
  };
  const bus: I2cByteBus = {
    send: (asked, bytes) => {
      check(asked);
      line.fromHost(bytes);
    },
    receive: (asked, length) => {
      check(asked);
      const isReady = line.isReady;
      const rest = isReady && length > 1 ? line.toHost(length - 1) : new Uint8Array(length - 1);
      return Buffer.from([isReady ? 1 : 0, ...rest]);
    },
  };
  return { line, bus };
};

const mirrored = Array.from({ length: 256 }, (_, byte) =>
  Number.parseInt(byte.toString(2).padStart(8, '0').split('').reverse().join(''), 2),
);

export const connectPn532ToSpi = () => {
  const line = new Pn532FrameBuffer();
  const answer = (bytes: readonly number[]): readonly number[] => {
    const [operation, ...rest] = bytes;
    if (!line.isConnected) return bytes.map(() => 0);
    if (operation === 1) line.fromHost(Uint8Array.from(rest));
    if (operation === 2) return [0, line.isReady ? 1 : 0];
    return operation === 3 ? [0, ...line.toHost(rest.length)] : bytes.map(() => 0);
  };
  const device: SpiDevice = {
    transfer: bytes => Buffer.from(answer(Array.from(bytes, byte => mirrored[byte]!)).map(byte => mirrored[byte]!)),
    close: () => undefined,
  };
  return { line, device };
};
