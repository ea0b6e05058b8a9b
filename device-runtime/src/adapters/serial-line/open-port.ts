import { readSync, writeSync } from 'node:fs';
import { SerialPort } from 'serialport';
import { errorCode } from '../linux-device/device-calls.ts';

export interface SerialLineOptions {
  /** Stable, as under /dev/serial/by-id: ttyUSB numbers change with the order of plugging. */
  readonly path: string;
  readonly baud_rate: number;
  readonly data_bits?: 7 | 8;
  readonly parity?: 'none' | 'even' | 'odd';
  readonly stop_bits?: 1 | 2;
}

/** An open port. Reading and writing fail when it has gone. */
export interface Port {
  readonly isOpen: boolean;
  /** Tells each piece as it comes, until the port fails: then it rejects. The bytes stay what they are. */
  listen(take: (bytes: Uint8Array) => void): Promise<never>;
  write(bytes: Buffer): Promise<void>;
  close(): Promise<void>;
}

export type OpenPort = (options: SerialLineOptions) => Promise<Port>;

const READ_BYTES = 4_096;
/** Pieces are small and many: they are read one behind the other into a larger stretch. */
const STRETCH_BYTES = 16 * READ_BYTES;

type BoundPort = Awaited<ReturnType<typeof SerialPort.binding.open>>;
type PolledPort = Extract<BoundPort, { readonly poller: unknown }>;

/**
 * The descriptor is read and written here, where its port says that it is ready. The port's own methods go through the
 * thread pool for every piece, and read a terminal that was hung up for ever.
 */
const polledPort = (port: PolledPort): Port => {
  const ready = (way: 'readable' | 'writable'): Promise<void> =>
    new Promise((done, failed) => {
      port.poller.once(way, error => (error === null ? done() : failed(error)));
    });
  const now = (call: (fd: number) => number): number | null => {
    if (port.fd === null) throw new Error('the port is closed');
    try {
      return call(port.fd);
    } catch (error) {
      if (errorCode(error) === 'EAGAIN') return null;
      throw error;
    }
  };
  return {
    get isOpen() {
      return port.isOpen;
    },
    listen: take =>
      new Promise((_, failed) => {
        let stretch = Buffer.alloc(0);
        let used = 0;
        // Waits anew before each piece: a line that never pauses must leave time for everything else.
        const wait = (): void => void port.poller.once('readable', error => (error === null ? read() : failed(error)));
        const read = (): void => {
          try {
            if (used + READ_BYTES > stretch.length) {
              stretch = Buffer.allocUnsafeSlow(STRETCH_BYTES);
              used = 0;
            }
            const count = now(fd => readSync(fd, stretch, used, READ_BYTES, null));
            if (count === 0) throw new Error('the port was hung up');
            if (count !== null) take(stretch.subarray(used, (used += count)));
            wait();
          } catch (error) {
            failed(error);
          }
        };
        wait();
      }),
    write: async bytes => {
      for (let rest = bytes; rest.length > 0; ) {
        const piece = rest;
        const count = now(fd => writeSync(fd, piece));
        if (count === null) await ready('writable');
        else rest = rest.subarray(count);
      }
    },
    close: () => port.close(),
  };
};

const plainPort = (port: BoundPort): Port => ({
  get isOpen() {
    return port.isOpen;
  },
  listen: async take => {
    for (;;) {
      const { buffer, bytesRead } = await port.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES);
      take(buffer.subarray(0, bytesRead));
    }
  },
  write: bytes => port.write(bytes),
  close: () => port.close(),
});

export const openPort: OpenPort = async options => {
  const port = await SerialPort.binding.open({
    path: options.path,
    baudRate: options.baud_rate,
    dataBits: options.data_bits ?? 8,
    parity: options.parity ?? 'none',
    stopBits: options.stop_bits ?? 1,
    // Two programs on one line would each get half of the bytes.
    lock: true,
  });
  return 'poller' in port ? polledPort(port) : plainPort(port);
};
