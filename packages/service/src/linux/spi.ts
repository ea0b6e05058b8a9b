import { closeSync, openSync } from 'node:fs';
import { loadLibcCalls } from './libc.ts';

/** Exchanges bytes with a device: as many come back as are sent. Throws if the port is missing. */
export interface SpiDevice {
  transfer(bytes: Uint8Array): Buffer;
  close(): void;
}

const SPI_IOC_WR_MODE = 0x40016b01;
const MODE_0 = 0;

/** `/dev/spidevBUS.CHIP`, mode 0, most significant bit first. */
export const openSpiDevice = (path: string, speed_hz: number): SpiDevice => {
  const libc = loadLibcCalls();
  const fd = openSync(path, 'r+');
  try {
    libc.ioctl(fd, SPI_IOC_WR_MODE, Uint8Array.of(MODE_0));
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return {
    transfer: bytes => libc.spiTransfer(fd, bytes, speed_hz),
    close: () => closeSync(fd),
  };
};
