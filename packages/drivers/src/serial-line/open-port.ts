import { writeSync } from 'node:fs';
import type { ReadStream } from 'node:tty';
import { SerialPort } from 'serialport';
import { errorCode } from '@lintel/service/linux/device-calls';
import { endOf, terminalInput } from './terminal-input.ts';

export interface SerialLineOptions {
  /** Stable, as under /dev/serial/by-id: ttyUSB numbers change with the order of plugging. */
  readonly path: string;
  readonly baud_rate: number;
  readonly parity?: 'none' | 'even' | 'odd';
}

/** An open port. Reading and writing fail when it has gone. */
export interface Port {
  readonly isOpen: boolean;
  /** Tells each piece as it comes, until the port fails: then it rejects. The bytes stay what they are. */
  listen(take: (bytes: Uint8Array) => void): Promise<never>;
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export type OpenPort = (options: SerialLineOptions) => Promise<Port>;

const READ_BYTES = 4_096;

type BoundPort = Awaited<ReturnType<typeof SerialPort.binding.open>>;
type PolledPort = Extract<BoundPort, { readonly poller: unknown }>;

/**
 * The descriptor is read by the event loop itself and written here. The port's own methods go through the thread pool
 * for every piece, and read a terminal that was hung up for ever.
 */
const polledPort = (port: PolledPort): Port => {
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
      if (errorCode(error) === 'EAGAIN') return 0;
      throw error;
    }
  };
  return {
    get isOpen() {
      return port.isOpen;
    },
    listen: async take => {
      input = terminalInput(descriptor(), take);
      throw await endOf(input);
    },
    write: async bytes => {
      let rest = bytes;
      for (let count = writeNow(rest); count < rest.length; count = writeNow(rest)) {
        // A copy: whoever gave them may use theirs for something else.
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
  write: bytes => port.write(Buffer.from(bytes)),
  close: () => port.close(),
});

export const openPort: OpenPort = async options => {
  const port = await SerialPort.binding.open({
    path: options.path,
    baudRate: options.baud_rate,
    dataBits: 8,
    parity: options.parity ?? 'none',
    stopBits: 1,
    // Two programs on one line would each get half of the bytes.
    lock: true,
  });
  return 'poller' in port ? polledPort(port) : plainPort(port);
};
