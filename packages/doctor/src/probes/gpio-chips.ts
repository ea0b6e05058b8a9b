import { GPIO_CHIP_INFO_BYTES, decodeGpioChipInfo, GPIO_IOCTL_GET_CHIP_INFO } from '@lintel/drivers/gpio/gpio-abi';
import { getErrorCode } from '@lintel/service/error-code';
import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';

export interface DetectedGpioChip {
  readonly path: string;
  /** Null without permission. */
  readonly label: string | null;
  /** Users of lines, by offset. */
  readonly users: ReadonlyMap<number, string>;
}

/** `struct gpio_v2_line_info`: name and consumer of 32 bytes, offset, attributes, flags. */
const GET_LINE_INFO = 0xc100b405;
const LINE_INFO_BYTES = 256;
const CONSUMER_AT = 32;
const OFFSET_AT = 64;
const FLAGS_AT = 72;
const IS_USED = 1n;

const textAt = (bytes: Buffer, at: number, length: number): string => {
  const [text = ''] = bytes.toString('utf8', at, at + length).split('\0', 1);
  return text;
};

const userOf = (calls: DeviceSystemCalls, fd: number, offset: number): string | null => {
  const bytes = Buffer.alloc(LINE_INFO_BYTES);
  bytes.writeUInt32LE(offset, OFFSET_AT);
  calls.ioctl(fd, GET_LINE_INFO, bytes);
  return (bytes.readBigUInt64LE(FLAGS_AT) & IS_USED) === 0n ? null : textAt(bytes, CONSUMER_AT, 32) || 'the kernel';
};

const readChip = (calls: DeviceSystemCalls, path: string): DetectedGpioChip => {
  const fd = calls.open(path);
  try {
    const info = Buffer.alloc(GPIO_CHIP_INFO_BYTES);
    calls.ioctl(fd, GPIO_IOCTL_GET_CHIP_INFO, info);
    const { label, lines } = decodeGpioChipInfo(info);
    const users = new Map<number, string>();
    for (let offset = 0; offset < lines; offset++) {
      const user = userOf(calls, fd, offset);
      if (user !== null) users.set(offset, user);
    }
    return { path, label, users };
  } finally {
    calls.close(fd);
  }
};

const loadCalls = async (): Promise<DeviceSystemCalls> =>
  (await import('@lintel/service/linux/linux-device-system-calls')).linuxSystemCalls;

export const probeGpioChips = async (
  load: () => Promise<DeviceSystemCalls> = loadCalls,
): Promise<readonly DetectedGpioChip[]> => {
  const calls = await load();
  return calls
    .list('/dev')
    .filter(name => /^gpiochip\d+$/.test(name))
    .flatMap(name => {
      try {
        return [readChip(calls, `/dev/${name}`)];
      } catch (error) {
        const isDenied = ['EACCES', 'EPERM'].includes(getErrorCode(error));
        return isDenied ? [{ path: `/dev/${name}`, label: null, users: new Map<number, string>() }] : [];
      }
    });
};
