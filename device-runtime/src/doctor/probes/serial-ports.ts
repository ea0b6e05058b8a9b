import { stablePath, usbSerialPorts, type DeviceTree } from '@lintel/drivers/open-parts/serial-path';
import type { Access, Machine } from '../machine.ts';

export interface FoundSerialPort {
  readonly path: string;
  readonly tty: string;
  /** vendor:product; null for a port of the board itself. */
  readonly usb: string | null;
  readonly serial: string | null;
  readonly access: Access;
  /** The kernel's console talks on it. */
  readonly isConsole: boolean;
}

const there = <T>(value: T | null): T => {
  if (value === null) throw new Error('not there');
  return value;
};

const treeOf = (machine: Machine): DeviceTree => ({
  list: folder => machine.list(folder),
  read: file => there(machine.read(file)),
  resolve: path => there(machine.resolve(path)),
});

/** `serial0` is a link that the Pi's system makes for the port on the pins. */
const consoles = (machine: Machine): ReadonlySet<string> => {
  const commandLine = machine.read('/proc/cmdline') ?? '';
  const named = [...commandLine.matchAll(/console=(\w+)/g)].map(([, tty]) => tty ?? '');
  const resolved = named.map(tty => (machine.resolve(`/dev/${tty}`) ?? tty).replace('/dev/', ''));
  return new Set([...named, ...resolved]);
};

export const findSerialPorts = (machine: Machine): readonly FoundSerialPort[] => {
  const tree = treeOf(machine);
  const talked = consoles(machine);
  const found = (tty: string, path: string, usb: string | null, serial: string | null): FoundSerialPort => ({
    path,
    tty,
    usb,
    serial,
    access: machine.access(path),
    isConsole: talked.has(tty),
  });
  const onUsb = usbSerialPorts(tree).map(({ tty, usb, serial }) => found(tty, stablePath(tty, tree), usb, serial));
  const onBoard = machine
    .list('/sys/class/tty')
    .filter(tty => /^tty(?:AMA|mxc|O|SC)\d+$/.test(tty))
    .map(tty => found(tty, `/dev/${tty}`, null, null));
  return [...onUsb, ...onBoard];
};
