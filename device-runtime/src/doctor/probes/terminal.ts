import type { DeviceNumber, Machine } from '../machine.ts';

const isAmong = ({ major, minor }: DeviceNumber, fields: readonly string[]): boolean => {
  const [, , ownMajor, minors = '', kind = ''] = fields;
  const [first = '', last = first] = minors.split('-');
  const isSerial = kind === 'serial' || kind === 'pty:slave';
  return isSerial && Number(ownMajor) === major && Number(first) <= minor && minor <= Number(last);
};

/**
 * Whether a path is a serial port, by the kernel's own list. It is not opened for this: that would pull the lines that
 * restart some boards, and take the port from a controller that runs.
 */
export const isSerialPort = (machine: Machine, path: string): boolean => {
  const device = machine.characterDevice(path);
  if (device === null) return false;
  const drivers = machine.read('/proc/tty/drivers');
  return drivers === null || drivers.split('\n').some(line => isAmong(device, line.trim().split(/\s+/)));
};
