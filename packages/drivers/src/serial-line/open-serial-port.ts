import { SerialPort } from 'serialport';
import { serialHangUpBinding } from './serialport-binding-with-hang-up-detection.ts';

export interface SerialLineOptions {
  /** A stable path such as under /dev/serial/by-id, because ttyUSB numbers change with the order of plugging. */
  readonly path: string;
  readonly baud_rate: number;
  readonly parity?: 'none' | 'even' | 'odd';
}

/** An open port. Reads and writes fail if it is gone. */
export interface SerialPortHandle {
  readonly isOpen: boolean;
  /** Passes on received bytes until the port fails, then rejects. The bytes are never overwritten. */
  listen(take: (bytes: Uint8Array) => void): Promise<never>;
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export type OpenSerialPort = (options: SerialLineOptions) => Promise<SerialPortHandle>;

const READ_BYTES = 4_096;

type Done = (error?: Error | null) => void;

const settleBy = (call: (done: Done) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    call(error => (error === null || error === undefined ? resolve() : reject(error)));
  });

/** The stream would keep a write to a closed port until it is opened again. */
const writeTo = (port: SerialPort, bytes: Buffer): Promise<void> =>
  settleBy(done => {
    const closed = (reason: Error | null): void => done(reason ?? new Error('The port is closed'));
    if (!port.isOpen) return closed(null);
    port.once('close', closed);
    port.write(bytes, error => {
      port.off('close', closed);
      done(error);
    });
  });

const toHandle = (port: SerialPort): SerialPortHandle => ({
  get isOpen() {
    return port.isOpen;
  },
  listen: take =>
    new Promise((_, reject) => {
      port.on('data', take);
      port.on('error', reject);
      port.on('close', (reason: Error | null) => reject(reason ?? new Error('The port is closed')));
    }),
  // A copy, because the caller may reuse its buffer.
  write: bytes => writeTo(port, Buffer.from(bytes)),
  close: () => settleBy(done => port.close(done)),
});

export const openSerialPort: OpenSerialPort = async options => {
  const settings = {
    path: options.path,
    baudRate: options.baud_rate,
    dataBits: 8 as const,
    parity: options.parity ?? 'none',
    stopBits: 1 as const,
    // Two programs on one line would each get part of the bytes.
    lock: true,
    autoOpen: false,
    highWaterMark: READ_BYTES,
    binding: process.platform === 'linux' ? serialHangUpBinding : SerialPort.binding,
  };
  const port = new SerialPort(settings);
  await settleBy(done => port.open(done));
  return toHandle(port);
};
