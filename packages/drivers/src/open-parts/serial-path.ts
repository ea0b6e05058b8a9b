import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SerialPortChoice } from '@lintel/hardware-profiles/buses';

/** The few looks at the file system that are needed to find an adapter. */
export interface DeviceTree {
  list(folder: string): readonly string[];
  read(file: string): string;
  resolve(path: string): string;
}

export const realDeviceTree: DeviceTree = {
  list: folder => readdirSync(folder),
  read: file => readFileSync(file, 'utf8').trim(),
  resolve: path => realpathSync(path),
};

export interface UsbSerialPort {
  readonly tty: string;
  /** vendor:product */
  readonly usb: string;
  readonly serial: string | null;
}

const attempt = <T>(look: () => T, otherwise: T): T => {
  try {
    return look();
  } catch {
    return otherwise;
  }
};

/** Up from the port's interface to the device that knows its numbers. */
const usbDeviceOf = (tree: DeviceTree, tty: string): UsbSerialPort | null => {
  const start = attempt(() => tree.resolve(`/sys/class/tty/${tty}/device`), '');
  for (let folder = start, steps = 0; folder.length > 1 && steps < 6; folder = dirname(folder), steps++) {
    const vendor = attempt(() => tree.read(join(folder, 'idVendor')), '');
    if (vendor === '') continue;
    const product = attempt(() => tree.read(join(folder, 'idProduct')), '');
    const serial = attempt<string | null>(() => tree.read(join(folder, 'serial')), null);
    return { tty, usb: `${vendor}:${product}`, serial };
  }
  return null;
};

/** Every serial port behind USB. */
export const usbSerialPorts = (tree: DeviceTree = realDeviceTree): readonly UsbSerialPort[] =>
  attempt(() => tree.list('/sys/class/tty'), [])
    .filter(tty => /^tty(?:USB|ACM)\d+$/.test(tty))
    .map(tty => usbDeviceOf(tree, tty))
    .filter(port => port !== null);

/** The link that stays the same over replugging and restarts; the plain name where there is none. */
export const stablePath = (tty: string, tree: DeviceTree = realDeviceTree): string => {
  const links = attempt(() => tree.list('/dev/serial/by-id'), []).map(name => `/dev/serial/by-id/${name}`);
  return links.find(link => basename(attempt(() => tree.resolve(link), '')) === tty) ?? `/dev/${tty}`;
};

/** Throws, in words for a person with the plug in the hand. */
export const serialPathOf = (port: SerialPortChoice, tree: DeviceTree = realDeviceTree): string => {
  if ('path' in port) return port.path;
  const found = usbSerialPorts(tree).filter(
    ({ usb, serial }) => usb === port.usb && (port.serial === undefined || port.serial === serial),
  );
  const [only, ...others] = found;
  const wanted = port.serial === undefined ? port.usb : `${port.usb} with the serial number ${port.serial}`;
  if (only === undefined) throw new Error(`no USB adapter ${wanted} is plugged in`);
  if (others.length > 0)
    throw new Error(`${found.length} USB adapters ${wanted} are plugged in: the profile must name one by its path`);
  return stablePath(only.tty, tree);
};
