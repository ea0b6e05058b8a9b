import { closeSync } from 'node:fs';
import { getSystemErrorName } from 'node:util';
import koffi from 'koffi';

interface I2cMessage {
  readonly address: number;
  readonly isRead: boolean;
  readonly bytes: Uint8Array;
}

export interface LibcCalls {
  ioctl(fd: number, request: number, argument: Uint8Array | number): void;
  /** Runs in a thread, for devices that may take long. Reads into the argument. */
  ioctlInThread(fd: number, request: number, argument: Uint8Array): Promise<void>;
  /** One SPI transfer of full duplex: returns as many bytes as it sends. */
  spiTransfer(fd: number, bytes: Uint8Array, speed_hz: number): Buffer;
  /** Writes the bytes, or reads into them. */
  i2cTransfer(fd: number, message: I2cMessage): void;
  smbusReadWord(fd: number, address: number, register: number): number;
  smbusWriteWord(fd: number, address: number, register: number, value: number): void;
  setNonBlocking(fd: number): void;
  /** Waits in a thread of the libuv pool. */
  poll(descriptors: Uint8Array, count: number, timeout_ms: number, done: () => void): void;
  /** Sends to a unix socket; `@` marks an abstract name. Throws instead of blocking. */
  sendDatagram(path: string, message: string): void;
  /** CLOCK_BOOTTIME in milliseconds: the time since the machine was switched on, including time in suspend. */
  bootTime(): number;
  /** A time service keeps the system clock right. False when the kernel does not tell. */
  isClockSynchronized(): boolean;
}

/** Also works while a driver of the kernel uses the device, such as that of a battery gauge. */
const I2C_SLAVE_FORCE = 0x0706;
const I2C_RDWR = 0x0707;
const I2C_SMBUS = 0x0720;
const SMBUS_WRITE = 0;
const SMBUS_READ = 1;
const SMBUS_WORD_DATA = 3;
const SPI_IOC_MESSAGE_1 = 0x40206b00;
const I2C_READ = 0x0001;
const F_SETFL = 4;
const O_NONBLOCK = 0o4000;
const AF_UNIX = 1;
const SOCK_DGRAM_CLOEXEC = 0o2000002;
const MSG_DONTWAIT_NOSIGNAL = 0x4040;
const CLOCK_BOOTTIME = 7;
const TIMESPEC_BYTES = 16;
/** `struct timex` on 64-bit systems. */
const TIMEX_BYTES = 208;
const TIMEX_STATUS_AT = 40;
const STA_UNSYNC = 0x40;

interface IoctlAt {
  (fd: number, request: number, argument: Uint8Array): number;
  async(fd: number, request: number, argument: Uint8Array, done: (error: Error | null, result: number) => void): void;
}
type IoctlSpi = (fd: number, request: number, transfer: object) => number;
type IoctlI2c = (
  fd: number,
  request: number,
  data: { readonly msgs: readonly object[]; readonly nmsgs: number },
) => number;
type IoctlSmbus = (
  fd: number,
  request: number,
  data: { readonly read_write: number; readonly command: number; readonly size: number; readonly data: Uint8Array },
) => number;
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
type ClockGetTime = (clock: number, time: Uint8Array) => number;
type Adjtimex = (timex: Uint8Array) => number;
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

const load = (): LibcCalls => {
  const library = koffi.load('libc.so.6');
  // Variadic in C. On the supported 64-bit systems the third argument is passed like any other.
  const ioctlAt = library.func('int ioctl(int fd, unsigned long request, void *argument)') as unknown as IoctlAt;
  const ioctlWith = library.func('int ioctl(int fd, unsigned long request, long argument)') as IoctlWith;
  koffi.struct('i2c_msg', { addr: 'uint16_t', flags: 'uint16_t', len: 'uint16_t', buf: 'uint8_t *' });
  koffi.struct('i2c_rdwr_ioctl_data', { msgs: 'i2c_msg *', nmsgs: 'uint32_t' });
  const ioctlI2c = library.func('int ioctl(int fd, unsigned long request, i2c_rdwr_ioctl_data *data)') as IoctlI2c;
  koffi.struct('i2c_smbus_ioctl_data', { read_write: 'uint8_t', command: 'uint8_t', size: 'uint32_t', data: 'void *' });
  const ioctlSmbus = library.func('int ioctl(int fd, unsigned long request, i2c_smbus_ioctl_data *data)') as IoctlSmbus;
  koffi.struct('spi_ioc_transfer', {
    tx_buf: 'uint8_t *',
    rx_buf: 'uint8_t *',
    len: 'uint32_t',
    speed_hz: 'uint32_t',
    delay_usecs: 'uint16_t',
    bits_per_word: 'uint8_t',
    cs_change: 'uint8_t',
    tx_nbits: 'uint8_t',
    rx_nbits: 'uint8_t',
    word_delay_usecs: 'uint8_t',
    pad: 'uint8_t',
  });
  const ioctlSpi = library.func('int ioctl(int fd, unsigned long request, spi_ioc_transfer *transfer)') as IoctlSpi;
  const fcntl = library.func('int fcntl(int fd, int command, long argument)') as Fcntl;
  const poll = library.func('int poll(void *fds, unsigned long count, int timeout)') as unknown as Poll;
  const socket = library.func('int socket(int family, int type, int protocol)') as Socket;
  const sendTo = library.func(
    'long sendto(int fd, void *message, unsigned long length, int flags, void *address, unsigned int addressLength)',
  ) as SendTo;
  const clockGetTime = library.func('int clock_gettime(int clock, void *time)') as ClockGetTime;
  const adjtimex = library.func('int adjtimex(void *timex)') as Adjtimex;
  const time = Buffer.alloc(TIMESPEC_BYTES);
  const check = (call: string, result: number): void => {
    if (result < 0) throw new SystemCallError(call, koffi.errno());
  };
  /** One word, low byte first. Reads into it. */
  const smbusWord = (fd: number, address: number, direction: number, register: number, word: Uint8Array): void => {
    check('ioctl', ioctlWith(fd, I2C_SLAVE_FORCE, address));
    const transaction = { read_write: direction, command: register, size: SMBUS_WORD_DATA, data: word };
    check('ioctl', ioctlSmbus(fd, I2C_SMBUS, transaction));
  };
  return {
    ioctl: (fd, request, argument) =>
      check('ioctl', typeof argument === 'number' ? ioctlWith(fd, request, argument) : ioctlAt(fd, request, argument)),
    ioctlInThread: (fd, request, argument) =>
      new Promise((done, failed) => {
        ioctlAt.async(fd, request, argument, (error, result) => {
          if (error !== null) return failed(error);
          // The number of the error belongs to another thread.
          if (result < 0) return failed(new Error('The device does not respond'));
          done();
        });
      }),
    spiTransfer: (fd, bytes, speed_hz) => {
      const received = Buffer.alloc(bytes.length);
      const none = { delay_usecs: 0, cs_change: 0, tx_nbits: 0, rx_nbits: 0, word_delay_usecs: 0, pad: 0 };
      const transfer = { tx_buf: bytes, rx_buf: received, len: bytes.length, speed_hz, bits_per_word: 8, ...none };
      check('ioctl', ioctlSpi(fd, SPI_IOC_MESSAGE_1, transfer));
      return received;
    },
    setNonBlocking: fd => check('fcntl', fcntl(fd, F_SETFL, O_NONBLOCK)),
    i2cTransfer: (fd, { address, isRead, bytes }) => {
      const message = { addr: address, flags: isRead ? I2C_READ : 0, len: bytes.length, buf: bytes };
      check('ioctl', ioctlI2c(fd, I2C_RDWR, { msgs: [message], nmsgs: 1 }));
    },
    smbusReadWord: (fd, address, register) => {
      const word = Buffer.alloc(2);
      smbusWord(fd, address, SMBUS_READ, register, word);
      return word.readUInt16LE();
    },
    smbusWriteWord: (fd, address, register, value) => {
      const word = Buffer.alloc(2);
      word.writeUInt16LE(value);
      smbusWord(fd, address, SMBUS_WRITE, register, word);
    },
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
    bootTime: () => {
      check('clock_gettime', clockGetTime(CLOCK_BOOTTIME, time));
      return Number(time.readBigInt64LE(0)) * 1000 + Number(time.readBigInt64LE(8)) / 1e6;
    },
    isClockSynchronized: () => {
      // Zero modes: only reads.
      const timex = Buffer.alloc(TIMEX_BYTES);
      return adjtimex(timex) >= 0 && (timex.readInt32LE(TIMEX_STATUS_AT) & STA_UNSYNC) === 0;
    },
  };
};

let loaded: LibcCalls | undefined;

/** Loaded on first use, so that programs without system calls also run on other operating systems. */
export const loadLibcCalls = (): LibcCalls => {
  loaded ??= load();
  return loaded;
};
