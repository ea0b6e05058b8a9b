import { GPIO_CHIP_INFO_BYTES, decodeGpioChipInfo, GPIO_IOCTL_GET_CHIP_INFO } from './abi.ts';
import type { HostSystem } from '../host/host-system.ts';
import {
  createFindingFactory,
  describeDeviceAccessFix,
  type DoctorCheck,
  type DoctorFinding,
  type Probe,
} from '../host/finding.ts';
import { describeGpioLine } from './chip-lines.ts';
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

const list = (chips: readonly DetectedGpioChip[], machine: HostSystem): readonly DoctorFinding[] => {
  const { ok, note } = createFindingFactory('gpio');
  if (chips.length === 0) return [note('No GPIO chip')];
  return chips.map(({ path, label, users }) => {
    if (label === null) return note(`${path} cannot be opened`, describeDeviceAccessFix(machine, path, 'gpio'));
    const usage =
      users.size === 0 ? 'no line in use' : `in use: ${[...users].map(([line, by]) => `${line} ${by}`).join(', ')}`;
    return ok(`${path} ${label}, ${usage}`);
  });
};

export const gpioChips: Probe<readonly DetectedGpioChip[]> = {
  find: () => probeGpioChips().catch(() => []),
  list,
};

/** `used`: the lines with their purpose. */
export const checkGpioLines = (
  { name, machine, found }: DoctorCheck,
  labels: readonly string[],
  used: readonly (readonly [purpose: string, line: number])[],
): readonly DoctorFinding[] => {
  const { ok, bad } = createFindingFactory('profile');
  const chips = found(gpioChips);
  const chip = chips.find(({ label }) => label !== null && labels.includes(label));
  const closed = chips.find(({ label }) => label === null);
  if (chip === undefined && closed !== undefined)
    return [bad(`${name}: ${closed.path} cannot be opened`, describeDeviceAccessFix(machine, closed.path, 'gpio'))];
  if (chip === undefined)
    return [
      bad(
        `${name}: no GPIO chip ${labels.join(' or ')}`,
        'This profile is for another board. lintel profile list shows all profiles',
      ),
    ];
  const inUse = used.flatMap(([purpose, offset]) => {
    const user = chip.users.get(offset);
    // The running controller itself.
    return user === undefined || user === 'lintel' ? [] : [{ purpose, offset, user }];
  });
  if (inUse.length === 0) return [ok(`${name}: ${chip.label} on ${chip.path}, all lines are available`)];
  return inUse.map(({ purpose, offset, user }) =>
    bad(
      `${name}: ${purpose} on ${describeGpioLine(labels, offset)} is in use by ${user}`,
      'Remove the overlay that uses it from /boot/firmware/config.txt, or move the wire and change the line in the profile',
    ),
  );
};
