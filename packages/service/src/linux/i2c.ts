import { closeSync, openSync } from 'node:fs';
import { type LibcCalls, loadLibcCalls } from './libc.ts';

/** Writes bytes to a device of an I2C bus, then reads from it without releasing the bus. Throws if it does not respond. */
export interface I2cBus {
  transfer(address: number, bytes: Uint8Array, readLength: number): Buffer;
  /** Reads without writing first. */
  receive(address: number, readLength: number): Buffer;
}

const I2C_RETRIES = 0x0701;
const I2C_TIMEOUT = 0x0702;
/** In units of 10 ms: a hanging device must not delay a door noticeably. */
const TIMEOUT = 5;

const withBus = (number: number, work: (libc: LibcCalls, fd: number) => void): void => {
  const libc = loadLibcCalls();
  const fd = openSync(`/dev/i2c-${number}`, 'r+');
  try {
    libc.ioctl(fd, I2C_TIMEOUT, TIMEOUT);
    libc.ioctl(fd, I2C_RETRIES, 0);
    work(libc, fd);
  } finally {
    closeSync(fd);
  }
};

/** `/dev/i2c-N`. Opened for each transfer, because the bus may appear later. */
export const openI2cBus = (number: number): I2cBus => ({
  transfer: (address, bytes, readLength) => {
    const read = Buffer.alloc(readLength);
    withBus(number, (libc, fd) =>
      libc.i2cTransfer(fd, [
        { address, isRead: false, bytes },
        ...(readLength === 0 ? [] : [{ address, isRead: true, bytes: read }]),
      ]),
    );
    return read;
  },
  receive: (address, readLength) => {
    const read = Buffer.alloc(readLength);
    withBus(number, (libc, fd) => libc.i2cTransfer(fd, [{ address, isRead: true, bytes: read }]));
    return read;
  },
});
