import type { DeviceNumber, HostSystem } from '../host-system.ts';

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
