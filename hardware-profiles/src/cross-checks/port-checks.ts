import type { HardwareBus, BusWithDriver, SerialPortChoice } from '../buses.ts';
import type { ProfileCrossCheck } from './cross-check.ts';

/** The first earlier item that matches. */
const findEarlier = <T>(all: readonly T[], index: number, isSame: (a: T, b: T) => boolean): T | undefined =>
  all.slice(0, index).find(other => isSame(other, all[index]!));

/** Without a serial number, an adapter matches any adapter with the same USB ids. */
const maybeSamePort = (a: SerialPortChoice, b: SerialPortChoice): boolean => {
  if ('path' in a || 'path' in b) return 'path' in a && 'path' in b && a.path === b.path;
  return a.usb === b.usb && (a.serial === undefined || b.serial === undefined || a.serial === b.serial);
};

/** Two drivers on one port would each receive only a part of the data. */
export const portsAreUsedOnce: ProfileCrossCheck = ({ buses }, report) => {
  const users = Object.entries(buses).flatMap(([name, bus]) => ('port' in bus ? [{ name, port: bus.port }] : []));
  for (const [index, { name }] of users.entries()) {
    const other = findEarlier(users, index, (a, b) => maybeSamePort(a.port, b.port));
    if (other !== undefined) report(['buses', name, 'port'], `may be the same port as that of bus ${other.name}`);
  }
};

const matchesPattern = (pattern: string, device: string): boolean => {
  const parts = pattern.split('*').map(part => part.replaceAll(/[.+]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`).test(device);
};

type UsbKeyboard = BusWithDriver<'usb-keypad' | 'keyboard-wedge'>;

const isUsbKeyboard = (entry: [string, HardwareBus]): entry is [string, UsbKeyboard] =>
  entry[1].driver === 'usb-keypad' || entry[1].driver === 'keyboard-wedge';

/** Two buses that match the same keypad or reader would get it at random. */
export const usbKeyboardsAreUsedOnce: ProfileCrossCheck = ({ buses }, report) => {
  const keypads = Object.entries(buses).filter(isUsbKeyboard);
  for (const [index, [name]] of keypads.entries()) {
    const other = findEarlier(
      keypads,
      index,
      ([, a], [, b]) => matchesPattern(a.device, b.device) || matchesPattern(b.device, a.device),
    );
    if (other !== undefined)
      report(['buses', name, 'device'], `may be the same USB keyboard as that of bus ${other[0]}`);
  }
};
