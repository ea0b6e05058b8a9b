import { basename, dirname, join } from 'node:path';
import type { SerialPortChoice } from '@lintel/hardware-profiles/serial-port-field-schemas';
import { type DeviceFiles, readDeviceFileOrDefault, systemDeviceFiles } from '../device-files/device-files.ts';

export interface UsbSerialPort {
  readonly tty: string;
  /** vendor:product */
  readonly usb: string;
  readonly serial: string | null;
  /** The name that the adapter tells. */
  readonly product: string | null;
}

/** Walks up from the interface of the port to the USB device with its ids. */
const usbDeviceOf = (tree: DeviceFiles, tty: string): UsbSerialPort | null => {
  const start = readDeviceFileOrDefault(() => tree.resolve(`/sys/class/tty/${tty}/device`), '');
  for (let folder = start, steps = 0; folder.length > 1 && steps < 6; folder = dirname(folder), steps++) {
    const vendor = readDeviceFileOrDefault(() => tree.read(join(folder, 'idVendor')), '');
    if (vendor === '') continue;
    const productId = readDeviceFileOrDefault(() => tree.read(join(folder, 'idProduct')), '');
    const textOf = (file: string): string | null =>
      readDeviceFileOrDefault<string | null>(() => tree.read(join(folder, file)), null);
    return { tty, usb: `${vendor}:${productId}`, serial: textOf('serial'), product: textOf('product') };
  }
  return null;
};

/** All USB serial ports. */
export const listUsbSerialPorts = (tree: DeviceFiles = systemDeviceFiles): readonly UsbSerialPort[] =>
  readDeviceFileOrDefault(() => tree.list('/sys/class/tty'), [])
    .filter(tty => /^tty(?:USB|ACM)\d+$/.test(tty))
    .map(tty => usbDeviceOf(tree, tty))
    .filter(port => port !== null);

/** A path that survives replugging and restarts; the plain device name if there is none. */
export const findStableSerialPath = (tty: string, tree: DeviceFiles = systemDeviceFiles): string => {
  const links = readDeviceFileOrDefault(() => tree.list('/dev/serial/by-id'), []).map(
    name => `/dev/serial/by-id/${name}`,
  );
  return links.find(link => basename(readDeviceFileOrDefault(() => tree.resolve(link), '')) === tty) ?? `/dev/${tty}`;
};

/** Throws with a message for the installer. */
export const requireSerialPath = (port: SerialPortChoice, tree: DeviceFiles = systemDeviceFiles): string => {
  if ('path' in port) return port.path;
  const found = listUsbSerialPorts(tree).filter(
    ({ usb, serial }) => usb === port.usb && (port.serial === undefined || port.serial === serial),
  );
  const [only, ...others] = found;
  const wanted = port.serial === undefined ? port.usb : `${port.usb} with the serial number ${port.serial}`;
  if (only === undefined) throw new Error(`No USB adapter ${wanted} is plugged in`);
  if (others.length > 0)
    throw new Error(`${found.length} USB adapters ${wanted} are plugged in: the profile must name one by its path`);
  return findStableSerialPath(only.tty, tree);
};
