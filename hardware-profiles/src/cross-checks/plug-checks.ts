import type { Bus, BusOf, SerialPortChoice } from '../buses.ts';
import type { Check } from './check.ts';

/** The first of the earlier ones that may be the same thing. */
const earlierLike = <T>(all: readonly T[], index: number, isSame: (a: T, b: T) => boolean): T | undefined =>
  all.slice(0, index).find(other => isSame(other, all[index]!));

/** An adapter that is named without its serial number may be any with these numbers. */
const maybeSamePort = (a: SerialPortChoice, b: SerialPortChoice): boolean => {
  if ('path' in a || 'path' in b) return 'path' in a && 'path' in b && a.path === b.path;
  return a.usb === b.usb && (a.serial === undefined || b.serial === undefined || a.serial === b.serial);
};

/** Two drivers that read one port each get half of what it says. */
export const portsAreUsedOnce: Check = ({ buses }, refuse) => {
  const users = Object.entries(buses).flatMap(([name, bus]) => ('port' in bus ? [{ name, port: bus.port }] : []));
  for (const [index, { name }] of users.entries()) {
    const other = earlierLike(users, index, (a, b) => maybeSamePort(a.port, b.port));
    if (other !== undefined) refuse(['buses', name, 'port'], `may be the port of the bus ${other.name} already`);
  }
};

const covers = (pattern: string, device: string): boolean => {
  const parts = pattern.split('*').map(part => part.replaceAll(/[.+]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`).test(device);
};

const isUsbKeypad = (entry: [string, Bus]): entry is [string, BusOf<'usb-keypad'>] => entry[1].driver === 'usb-keypad';

/** A keypad belongs to whoever grabs it first, and with two that may take it this changes from start to start. */
export const keypadsAreTakenOnce: Check = ({ buses }, refuse) => {
  const keypads = Object.entries(buses).filter(isUsbKeypad);
  for (const [index, [name]] of keypads.entries()) {
    const other = earlierLike(
      keypads,
      index,
      ([, a], [, b]) => covers(a.device, b.device) || covers(b.device, a.device),
    );
    if (other !== undefined) refuse(['buses', name, 'device'], `may be the keypad of the bus ${other[0]} already`);
  }
};
