import { closeSync } from 'node:fs';
import { getSystemErrorName } from 'node:util';
import koffi from 'koffi';

export interface Libc {
  ioctl(fd: number, request: number, argument: Uint8Array | number): void;
  setNonBlocking(fd: number): void;
  /** Waits in a thread of the libuv pool. */
  poll(descriptors: Uint8Array, count: number, timeout_ms: number, done: () => void): void;
  /** Sends to a unix socket; `@` marks an abstract name. Throws instead of blocking. */
  sendDatagram(path: string, message: string): void;
}

const F_SETFL = 4;
const O_NONBLOCK = 0o4000;
const AF_UNIX = 1;
const SOCK_DGRAM_CLOEXEC = 0o2000002;
const MSG_DONTWAIT_NOSIGNAL = 0x4040;

type IoctlAt = (fd: number, request: number, argument: Uint8Array) => number;
type IoctlWith = (fd: number, request: number, argument: number) => number;
type Fcntl = (fd: number, command: number, argument: number) => number;
type Socket = (family: number, type: number, protocol: number) => number;
type SendTo = (
  fd: number,
  message: Uint8Array,
  length: number,
  flags: number,
  address: Uint8Array,
  addressLength: number,
) => number;
type Poll = {
  async(fds: Uint8Array, count: number, timeout: number, done: (error: Error | null, result: number) => void): void;
};

class SystemCallError extends Error {
  override readonly name = 'SystemCallError';
  readonly code: string;

  constructor(call: string, errno: number) {
    const code = getSystemErrorName(-errno);
    super(`${call}: ${code}`);
    this.code = code;
  }
}

const unixAddress = (path: string): Buffer => {
  const family = Buffer.alloc(2);
  family.writeUInt16LE(AF_UNIX);
  return Buffer.concat([family, Buffer.from(path.startsWith('@') ? `\0${path.slice(1)}` : `${path}\0`)]);
};

const load = (): Libc => {
  const library = koffi.load('libc.so.6');
  // Variadic in C. On the supported 64-bit systems the third argument is passed like any other.
  const ioctlAt = library.func('int ioctl(int fd, unsigned long request, void *argument)') as IoctlAt;
  const ioctlWith = library.func('int ioctl(int fd, unsigned long request, long argument)') as IoctlWith;
  const fcntl = library.func('int fcntl(int fd, int command, long argument)') as Fcntl;
  const poll = library.func('int poll(void *fds, unsigned long count, int timeout)') as unknown as Poll;
  const socket = library.func('int socket(int family, int type, int protocol)') as Socket;
  const sendTo = library.func(
    'long sendto(int fd, void *message, unsigned long length, int flags, void *address, unsigned int addressLength)',
  ) as SendTo;
  const check = (call: string, result: number): void => {
    if (result < 0) throw new SystemCallError(call, koffi.errno());
  };
  return {
    ioctl: (fd, request, argument) =>
      check('ioctl', typeof argument === 'number' ? ioctlWith(fd, request, argument) : ioctlAt(fd, request, argument)),
    setNonBlocking: fd => check('fcntl', fcntl(fd, F_SETFL, O_NONBLOCK)),
    poll: (descriptors, count, timeout_ms, done) => poll.async(descriptors, count, timeout_ms, () => done()),
    sendDatagram: (path, message) => {
      const fd = socket(AF_UNIX, SOCK_DGRAM_CLOEXEC, 0);
      check('socket', fd);
      try {
        const [bytes, address] = [Buffer.from(message), unixAddress(path)];
        check('sendto', sendTo(fd, bytes, bytes.length, MSG_DONTWAIT_NOSIGNAL, address, address.length));
      } finally {
        closeSync(fd);
      }
    },
  };
};

let loaded: Libc | undefined;

/** Loaded on first use, so that programs without system calls also run on other operating systems. */
export const loadLibc = (): Libc => {
  loaded ??= load();
  return loaded;
};
