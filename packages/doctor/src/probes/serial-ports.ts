import type { DeviceFiles } from '@lintel/drivers/device-files/device-files';
import { findStableSerialPath, listUsbSerialPorts } from '@lintel/drivers/open-hardware/serial-path';
import type { DeviceAccess, HostSystem } from '../host-system.ts';

export interface FoundSerialPort {
  readonly path: string;
  readonly tty: string;
  /** vendor:product; null for a port of the board itself. */
  readonly usb: string | null;
  readonly serial: string | null;
  readonly access: DeviceAccess;
  /** Used by the kernel console. */
  readonly isConsole: boolean;
}

const requireValue = <T>(value: T | null): T => {
  if (value === null) throw new Error('not found');
  return value;
};

const treeOf = (machine: HostSystem): DeviceFiles => ({
  list: folder => machine.list(folder),
  read: file => requireValue(machine.read(file)),
  resolve: path => requireValue(machine.resolve(path)),
});

/** `serial0` is a link of the Raspberry Pi OS to the port on the header. */
const consoles = (machine: HostSystem): ReadonlySet<string> => {
  const commandLine = machine.read('/proc/cmdline') ?? '';
  const named = [...commandLine.matchAll(/console=(\w+)/g)].map(([, tty]) => tty ?? '');
  const resolved = named.map(tty => (machine.resolve(`/dev/${tty}`) ?? tty).replace('/dev/', ''));
  return new Set([...named, ...resolved]);
};

export const probeSerialPorts = (machine: HostSystem): readonly FoundSerialPort[] => {
  const tree = treeOf(machine);
  const consolePorts = consoles(machine);
  const found = (tty: string, path: string, usb: string | null, serial: string | null): FoundSerialPort => ({
    path,
    tty,
    usb,
    serial,
    access: machine.access(path),
    isConsole: consolePorts.has(tty),
  });
  const onUsb = listUsbSerialPorts(tree).map(({ tty, usb, serial }) =>
    found(tty, findStableSerialPath(tty, tree), usb, serial),
  );
  const onBoard = machine
    .list('/sys/class/tty')
    .filter(tty => /^tty(?:AMA|mxc|O|SC)\d+$/.test(tty))
    .map(tty => found(tty, `/dev/${tty}`, null, null));
  return [...onUsb, ...onBoard];
};
