import { getErrorCode } from '@lintel/service/error-code';
import { LinuxBinding, type LinuxBindingInterface } from '@serialport/bindings-cpp';
import { unixRead } from '@serialport/bindings-cpp/dist/unix-read.js';
import { read } from 'node:fs';
import { promisify } from 'node:util';
import { SerialPort } from 'serialport';

/** Errors of a port whose adapter was unplugged while open. */
const GONE: readonly string[] = ['EIO', 'ENODEV', 'ENXIO', 'EBADF', 'ENOENT'];

/** The stream of the library reports a lost port without a code. */
const GONE_MESSAGE = new RegExp(
  `\\b(?:${GONE.join('|')})\\b|hung up|bad file descriptor|port is (?:closed|not open)`,
  'i',
);

export const formatSerialDisconnectedMessage = (path: string): string => `${path} was disconnected`;

/** The library reports open errors without a code, only in the message. */
const openings: readonly (readonly [RegExp, (path: string) => string])[] = [
  [/lock port|resource busy/i, path => `${path} is open in another program: sudo fuser ${path} shows which`],
  [
    /permission denied|not permitted/i,
    path => `${path} cannot be opened: add the user of this process to its group (ls -lL ${path})`,
  ],
  [/inappropriate ioctl|invalid argument/i, path => `${path} is not a serial port, or does not support this baud rate`],
];

/** Explains why a port does not open. A port that disappeared keeps the same message. */
export const formatSerialOpenError = (path: string, error: Error, hasBeenOpen: boolean): string => {
  if (/no such (file|device)/i.test(error.message))
    return hasBeenOpen ? formatSerialDisconnectedMessage(path) : `${path} does not exist`;
  const known = openings.find(([words]) => words.test(error.message));
  return known === undefined ? `${path} does not open: ${error.message}` : known[1](path);
};

/** Explains why an open port was lost. */
export const formatSerialConnectionLoss = (path: string, error: Error): string =>
  GONE.includes(getErrorCode(error)) || GONE_MESSAGE.test(error.message)
    ? formatSerialDisconnectedMessage(path)
    : `${path} fails: ${error.message}`;

const readDescriptor = promisify(read);

/** ENXIO makes the stream close the port. */
const readOrHangUp: typeof readDescriptor = async (...args: Parameters<typeof readDescriptor>) => {
  const result = await readDescriptor(...args);
  if (result.bytesRead > 0) return result;
  throw Object.assign(new Error('The port was hung up'), { code: 'ENXIO' });
};

/**
 * The Linux binding of serialport, except that reading ends when the terminal is hung up, for example because its
 * adapter was unplugged. Such a terminal returns 0 bytes forever, and the original reads again at once, which occupies
 * a processor: https://github.com/serialport/bindings-cpp/issues/162
 */
const serialHangUpBinding: LinuxBindingInterface = {
  list: () => LinuxBinding.list(),
  open: async options => {
    const port = await LinuxBinding.open(options);
    port.read = (buffer, offset, length) =>
      unixRead({ binding: port, buffer, offset, length, fsReadAsync: readOrHangUp });
    return port;
  },
};

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
