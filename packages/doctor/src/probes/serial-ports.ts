import { listUdevSerialPorts } from '@lintel/drivers/serial-line/list-serial-ports';
import type { DeviceFiles } from '@lintel/drivers/device-files/device-files';
import { findStableSerialPath, listUsbSerialPorts } from '@lintel/drivers/open-hardware/serial-path';
import type { DeviceFileAccess, HostSystem } from '../host-system.ts';

export interface DetectedSerialPort {
  readonly path: string;
  readonly tty: string;
  /** vendor:product; null for a port of the board itself. */
  readonly usb: string | null;
  readonly serial: string | null;
  /** As the adapter tells; null for a port of the board itself. */
  readonly maker: string | null;
  readonly product: string | null;
  readonly access: DeviceFileAccess;
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

interface PortAdapter {
  readonly usb: string | null;
  readonly serial: string | null;
  readonly product: string | null;
}

export const probeSerialPorts = async (
  machine: HostSystem,
  list: typeof listUdevSerialPorts = listUdevSerialPorts,
): Promise<readonly DetectedSerialPort[]> => {
  const tree = treeOf(machine);
  const consolePorts = consoles(machine);
  // Without udevadm, the ports are listed without their makers.
  const listed = await list().catch(() => []);
  const makerOf = (tty: string): string | null => listed.find(({ path }) => path === `/dev/${tty}`)?.maker ?? null;
  const found = (tty: string, path: string, { usb, serial, product }: PortAdapter): DetectedSerialPort => ({
    path,
    tty,
    usb,
    serial,
    maker: makerOf(tty),
    product,
    access: machine.access(path),
    isConsole: consolePorts.has(tty),
  });
  const onUsb = listUsbSerialPorts(tree).map(({ tty, ...adapter }) =>
    found(tty, findStableSerialPath(tty, tree), adapter),
  );
  const onBoard = machine
    .list('/sys/class/tty')
    .filter(tty => /^tty(?:AMA|mxc|O|SC)\d+$/.test(tty))
    .map(tty => found(tty, `/dev/${tty}`, { usb: null, serial: null, product: null }));
  return [...onUsb, ...onBoard];
};
