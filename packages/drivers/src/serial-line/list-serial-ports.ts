import { SerialPort } from 'serialport';

export interface SystemSerialPort {
  /** `/dev/ttyUSB0`, which may be another port after a restart. */
  readonly path: string;
  readonly maker: string | null;
}

/** The serial ports that udev knows. Rejects without udevadm. */
export const listSystemSerialPorts = async (): Promise<readonly SystemSerialPort[]> =>
  (await SerialPort.list()).map(({ path, manufacturer }) => ({ path, maker: manufacturer ?? null }));
