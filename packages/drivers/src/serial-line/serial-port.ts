import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import type { ExclusiveResource, ExclusiveUse } from '../definition/define-driver.ts';
import { dataRow, plugRow, supplyRow, type WiringRow } from '../definition/wiring.ts';
import { type DeviceFiles, readDeviceFileOrDefault, systemDeviceFiles } from '../device-files/device-files.ts';
import type { SerialLineOptions } from './open-serial-port.ts';
import type { ReconnectingSerialLine } from './reconnecting-serial-line.ts';

/** A stable device path or the USB ids of the adapter. `/dev/ttyUSB0` can change between boots. */
export const serialPortSchema = z.union(
  [
    z.strictObject({
      path: z
        .string()
        .max(200)
        .regex(/^(?:\/[\w.:+@-]+)+$/, { error: 'must be an absolute path, such as /dev/serial/by-id/usb-…' })
        .refine(path => !path.split('/').includes('..'), { error: 'must not contain ..' }),
    }),
    z.strictObject({
      usb: z.string().regex(/^[0-9a-f]{4}:[0-9a-f]{4}$/, { error: 'must be vendor:product, such as 1a86:7523' }),
      serial: z.string().min(1).max(100).optional(),
    }),
  ],
  { error: 'must have "path", or "usb" with the ids of the adapter' },
);
export type SerialPortChoice = z.infer<typeof serialPortSchema>;

export const createBaudRateSchema = (defaultRate: number) =>
  z
    .literal([1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200], { error: 'must be a standard baud rate' })
    .default(defaultRate as 9600);
export const paritySchema = z.enum(['none', 'even', 'odd']).default('none');

/** Without a serial number, an adapter matches any adapter with the same USB ids. */
const maybeSamePort = (a: SerialPortChoice, b: SerialPortChoice): boolean => {
  if ('path' in a || 'path' in b) return 'path' in a && 'path' in b && a.path === b.path;
  return a.usb === b.usb && (a.serial === undefined || b.serial === undefined || a.serial === b.serial);
};

/** Two drivers on one port would each receive only a part of the data. */
const serialPort: ExclusiveResource<SerialPortChoice> = {
  overlaps: maybeSamePort,
  describe: (_, user) => `may be the same port as that of ${user}`,
};

export const useSerialPort = (port: SerialPortChoice): readonly ExclusiveUse[] => [
  { resource: serialPort, used: port, at: ['port'] },
];

const describeUsbPort = (port: SerialPortChoice): string => ('usb' in port ? `USB ${port.usb}` : port.path);

/** A plug at the controller. */
export const serialPlugRow = (port: SerialPortChoice, part: string): WiringRow => plugRow(describeUsbPort(port), part);

/** The UART on the header of a Raspberry Pi has separate wires. Any other port is a plug. */
export const serialRows = (port: SerialPortChoice, part: string): readonly WiringRow[] => {
  if (!('path' in port) || !/^\/dev\/(?:ttyAMA0|serial0)$/.test(port.path)) return [serialPlugRow(port, part)];
  return [
    dataRow('TXD, GPIO 14 (pin 8)', `${part} RX`),
    dataRow('RXD, GPIO 15 (pin 10)', `${part} TX`),
    supplyRow('3.3 V (pin 17)', `${part} VCC`),
    supplyRow('ground (pin 9)', `${part} ground`),
  ];
};

/** The pair of wires from an RS-485 adapter. */
export const rs485Rows: readonly WiringRow[] = [
  dataRow('A and B, twisted pair', 'A and B of every device; 120 Ω termination at both ends, bias at one end'),
  supplyRow('ground', 'ground of every device on the bus'),
];

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

/** Loads serialport, which has a native module. */
export const openSerialLine = async (
  port: SerialPortChoice,
  options: Omit<SerialLineOptions, 'path'>,
): Promise<ReconnectingSerialLine> => {
  const path = requireSerialPath(port);
  const { ReconnectingSerialLine: Line } = await import('./reconnecting-serial-line.ts');
  return new Line({ path, ...options });
};
