import type { DeviceFiles } from '../device-files/device-files.ts';
import {
  createFindingFactory,
  describeDeviceAccessFix,
  describeUsablePort,
  type DoctorCheck,
  type DoctorFinding,
  type Probe,
} from '../host/finding.ts';
import type { DeviceFileAccess, DeviceNumber, HostSystem } from '../host/host-system.ts';
import type { listUdevSerialPorts } from './list-serial-ports.ts';
import { findStableSerialPath, listUsbSerialPorts, type SerialPortChoice } from './serial-port.ts';

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

/** Loads serialport, which has a native module. */
const listWithUdev = async (): ReturnType<typeof listUdevSerialPorts> =>
  (await import('./list-serial-ports.ts')).listUdevSerialPorts();

export const probeSerialPorts = async (
  machine: HostSystem,
  list: typeof listUdevSerialPorts = listWithUdev,
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

/** The stable path, the device, the maker and the product. */
const describeSerialPort = ({ path, tty, usb, maker, product, serial }: DetectedSerialPort): string => {
  const adapter = [maker, product].filter(text => text !== null).join(' ');
  const facts = [path === `/dev/${tty}` ? '' : tty, adapter, usb ?? '', serial === null ? '' : `serial ${serial}`];
  const known = facts.filter(text => text !== '');
  return known.length === 0 ? path : `${path} (${known.join(', ')})`;
};

const isAmong = ({ major, minor }: DeviceNumber, fields: readonly string[]): boolean => {
  const [, , ownMajor, minors = '', kind = ''] = fields;
  const [first = '', last = first] = minors.split('-');
  const isSerial = kind === 'serial' || kind === 'pty:slave';
  return isSerial && Number(ownMajor) === major && Number(first) <= minor && minor <= Number(last);
};

/**
 * Whether a path is a serial port, by the kernel's list. Opening it would restart some boards and take the port from a
 * running controller.
 */
export const isSerialPort = (machine: HostSystem, path: string): boolean => {
  const device = machine.characterDevice(path);
  if (device === null) return false;
  const drivers = machine.read('/proc/tty/drivers');
  return drivers === null || drivers.split('\n').some(line => isAmong(device, line.trim().split(/\s+/)));
};

export const serialPorts: Probe<readonly DetectedSerialPort[]> = {
  find: machine => probeSerialPorts(machine),
  list(found, machine) {
    const { ok, note } = createFindingFactory('serial');
    if (found.length === 0) return [note('No serial port')];
    return found.map(port => {
      const { path, access, isConsole } = port;
      const name = describeSerialPort(port);
      if (access === 'denied')
        return note(`${name} cannot be opened`, describeDeviceAccessFix(machine, path, 'dialout'));
      return isConsole ? note(`${name} is the kernel console`) : ok(name);
    });
  },
};

const { ok, bad } = createFindingFactory('profile');

const UART_FIX =
  'In /boot/firmware/config.txt: enable_uart=1 and dtoverlay=disable-bt (Pi 4, Zero 2 W) or dtparam=uart0=on (Pi 5); remove console=serial0,115200 from cmdline.txt; restart';

const checkUsbPort = (
  { name, machine, found }: DoctorCheck,
  port: Extract<SerialPortChoice, { usb: string }>,
): DoctorFinding => {
  const same = found(serialPorts).filter(({ usb, serial }) => usb === port.usb && (port.serial ?? serial) === serial);
  const [only] = same;
  if (only === undefined) return bad(`${name}: no USB adapter ${port.usb}`, 'Plug it in. lsusb lists USB devices');
  if (same.length > 1)
    return bad(
      `${name}: ${same.length} USB adapters ${port.usb}`,
      `Set a path for the bus: ${same.map(({ path }) => path).join(' or ')}`,
    );
  if (only.access === 'denied')
    return bad(`${name}: ${only.path} cannot be opened`, describeDeviceAccessFix(machine, only.path, 'dialout'));
  return ok(describeUsablePort(name, only.path));
};

const checkPortPath = ({ name, machine, found }: DoctorCheck, path: string): DoctorFinding => {
  const access = machine.access(path);
  if (access === 'denied')
    return bad(`${name}: ${path} cannot be opened`, describeDeviceAccessFix(machine, path, 'dialout'));
  const isOnPins = path.startsWith('/dev/ttyAMA') || path === '/dev/serial0';
  if (access === 'absent')
    return bad(
      `${name}: ${path} does not exist`,
      isOnPins ? UART_FIX : 'Plug it in. ls -l /dev/serial/by-id lists serial ports',
    );
  if (!isSerialPort(machine, path))
    return bad(`${name}: ${path} is not a serial port`, 'ls -l /dev/serial/by-id lists serial ports');
  const port = found(serialPorts).find(
    candidate => candidate.path === path || `/dev/${candidate.tty}` === machine.resolve(path),
  );
  if (port?.isConsole === true) return bad(`${name}: ${path} is the kernel console`, UART_FIX);
  return ok(describeUsablePort(name, path));
};

export const checkSerialPort = (
  { port }: { readonly port: SerialPortChoice },
  check: DoctorCheck,
): readonly DoctorFinding[] => ['usb' in port ? checkUsbPort(check, port) : checkPortPath(check, port.path)];
