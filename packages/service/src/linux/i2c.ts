import { closeSync, openSync } from 'node:fs';
import { type LibcCalls, loadLibcCalls } from './libc.ts';

/** Devices with registers of 16 bits on an I2C bus. Both methods throw if the device does not respond. */
export interface I2cRegisterBus {
  /** Low byte first. */
  readWord(address: number, register: number): number;
  writeWord(address: number, register: number, value: number): void;
}

/** Devices without registers on an I2C bus. Both methods throw if the device does not respond. */
export interface I2cByteBus {
  send(address: number, bytes: Uint8Array): void;
  receive(address: number, length: number): Buffer;
}

const I2C_RETRIES = 0x0701;
const I2C_TIMEOUT = 0x0702;
/** In units of 10 ms: a hanging device must not delay a door noticeably. */
const TIMEOUT = 5;

/** Reads a register of 16 bits, high byte first. */
export const readBigEndianWord = (bus: I2cRegisterBus, address: number, register: number): number => {
  const word = bus.readWord(address, register);
  return ((word & 0xff) << 8) | (word >> 8);
};

const withBus = <T>(number: number, work: (libc: LibcCalls, fd: number) => T): T => {
  const libc = loadLibcCalls();
  const fd = openSync(`/dev/i2c-${number}`, 'r+');
  try {
    libc.ioctl(fd, I2C_TIMEOUT, TIMEOUT);
    libc.ioctl(fd, I2C_RETRIES, 0);
    return work(libc, fd);
  } finally {
    closeSync(fd);
  }
};

/**
 * `/dev/i2c-N`. Opened for each transfer, because the bus may appear later. Registers are accessed with SMBus transactions,
 * which every adapter offers; SMBus controllers of PCs and i2c-stub offer nothing else.
 */
export const openI2cBus = (number: number): I2cRegisterBus & I2cByteBus => ({
  readWord: (address, register) => withBus(number, (libc, fd) => libc.smbusReadWord(fd, address, register)),
  writeWord: (address, register, value) =>
    withBus(number, (libc, fd) => libc.smbusWriteWord(fd, address, register, value)),
  send: (address, bytes) => withBus(number, (libc, fd) => libc.i2cTransfer(fd, { address, isRead: false, bytes })),
  receive: (address, length) => {
    const bytes = Buffer.alloc(length);
    withBus(number, (libc, fd) => libc.i2cTransfer(fd, { address, isRead: true, bytes }));
    return bytes;
  },
});
