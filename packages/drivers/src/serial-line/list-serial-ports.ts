import { SerialPort } from 'serialport';

export interface UdevSerialPort {
  /** `/dev/ttyUSB0`, which may be another port after a restart. */
  readonly path: string;
  readonly maker: string | null;
}

/** The serial ports that udev knows. Rejects without udevadm. */
export const listUdevSerialPorts = async (): Promise<readonly UdevSerialPort[]> =>
  (await SerialPort.list()).map(({ path, manufacturer }) => ({ path, maker: manufacturer ?? null }));
