import { writeSync } from 'node:fs';
import type { ReadStream } from 'node:tty';
import { SerialPort } from 'serialport';
import { getErrorCode } from '@lintel/service/linux/device-system-calls';
import { waitForTerminalEnd, readTerminal } from './terminal-input.ts';

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

type BoundPort = Awaited<ReturnType<typeof SerialPort.binding.open>>;
type PolledPort = Extract<BoundPort, { readonly poller: unknown }>;

/**
 * The event loop reads the descriptor, and this module writes it. The methods of the port use the thread pool for each
 * chunk, and keep reading a terminal that was hung up.
 */
const polledPort = (port: PolledPort): SerialPortHandle => {
  let input: ReadStream | null = null;
  const writable = (): Promise<void> =>
    new Promise((done, failed) => {
      port.poller.once('writable', error => (error === null ? done() : failed(error)));
    });
  const descriptor = (): number => {
    if (port.fd === null) throw new Error('the port is closed');
    return port.fd;
  };
  const writeNow = (bytes: Uint8Array): number => {
    try {
      return writeSync(descriptor(), bytes);
    } catch (error) {
      if (getErrorCode(error) === 'EAGAIN') return 0;
      throw error;
    }
  };
  return {
    get isOpen() {
      return port.isOpen;
    },
    listen: async take => {
      input = readTerminal(descriptor(), take);
      throw await waitForTerminalEnd(input);
    },
    write: async bytes => {
      let rest = bytes;
      for (let count = writeNow(rest); count < rest.length; count = writeNow(rest)) {
        // A copy, because the caller may reuse its buffer.
        rest = Uint8Array.from(rest.subarray(count));
        await writable();
      }
    },
    close: async () => {
      input?.destroy();
      await port.close();
    },
  };
};

const plainPort = (port: BoundPort): SerialPortHandle => ({
  get isOpen() {
    return port.isOpen;
  },
  listen: async take => {
    for (;;) {
      const { buffer, bytesRead } = await port.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES);
      take(buffer.subarray(0, bytesRead));
    }
  },
  write: bytes => port.write(Buffer.from(bytes)),
  close: () => port.close(),
});

export const openSerialPort: OpenSerialPort = async options => {
  const port = await SerialPort.binding.open({
    path: options.path,
    baudRate: options.baud_rate,
    dataBits: 8,
    parity: options.parity ?? 'none',
    stopBits: 1,
    // Two programs on one line would each get part of the bytes.
    lock: true,
  });
  return 'poller' in port ? polledPort(port) : plainPort(port);
};
