import { describe, expect, it } from 'vitest';
import { requireKeyboardPath } from '../evdev/keyboard.ts';
import type { DeviceFiles } from '../device-files/device-files.ts';
import { requireSerialPath } from './serial-port.ts';

/** Two adapters of one kind, one of another, and a port without USB. */
const files: Readonly<Record<string, string>> = {
  '/sys/usb/1-1/idVendor': '1a86',
  '/sys/usb/1-1/idProduct': '7523',
  '/sys/usb/1-2/idVendor': '0403',
  '/sys/usb/1-2/idProduct': '6001',
  '/sys/usb/1-2/serial': 'A1',
  '/sys/usb/1-3/idVendor': '0403',
  '/sys/usb/1-3/idProduct': '6001',
  '/sys/usb/1-3/serial': 'B2',
};
const links: Readonly<Record<string, string>> = {
  '/sys/class/tty/ttyUSB0/device': '/sys/usb/1-1/1-1:1.0/ttyUSB0',
  '/sys/class/tty/ttyUSB1/device': '/sys/usb/1-2/1-2:1.0/ttyUSB1',
  '/sys/class/tty/ttyACM0/device': '/sys/usb/1-3/1-3:1.0/ttyACM0',
  '/dev/serial/by-id/usb-FTDI_A1-if00-port0': '/dev/ttyUSB1',
};
const folders: Readonly<Record<string, readonly string[]>> = {
  '/sys/class/tty': ['tty1', 'ttyAMA0', 'ttyUSB0', 'ttyUSB1', 'ttyACM0'],
  '/dev/serial/by-id': ['usb-FTDI_A1-if00-port0'],
  '/dev/input/by-id': ['usb-b-event-kbd', 'usb-a-event-kbd', 'usb-a-event-mouse'],
};
const found = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('ENOENT');
  return value;
};
const tree: DeviceFiles = {
  list: folder => found(folders[folder]),
  read: file => found(files[file]),
  resolve: path => found(links[path]),
};

describe('device paths', () => {
  it('find a serial port by the ids of its USB adapter, under its stable name', () => {
    expect(requireSerialPath({ usb: '0403:6001', serial: 'A1' }, tree)).toBe(
      '/dev/serial/by-id/usb-FTDI_A1-if00-port0',
    );
    expect(requireSerialPath({ usb: '1a86:7523' }, tree)).toBe('/dev/ttyUSB0');
    expect(requireSerialPath({ path: '/dev/ttyAMA0' }, tree)).toBe('/dev/ttyAMA0');
  });

  it('fail for two matching adapters, and for none', () => {
    expect(() => requireSerialPath({ usb: '0403:6001' }, tree)).toThrow('2 USB adapters 0403:6001 are plugged in');
    expect(() => requireSerialPath({ usb: '0403:6001', serial: 'C3' }, tree)).toThrow(
      'with the serial number C3 is plugged in',
    );
    const nothing: DeviceFiles = { ...tree, list: folder => found(folders[`${folder}/none`]) };
    expect(() => requireSerialPath({ usb: '1a86:7523' }, nothing)).toThrow('No USB adapter 1a86:7523 is plugged in');
    expect(() => requireKeyboardPath('*-event-kbd', nothing)).toThrow('No USB keyboard matches *-event-kbd');
  });

  it('find the first matching keypad, and keep a full path', () => {
    expect(requireKeyboardPath('*-event-kbd', tree)).toBe('/dev/input/by-id/usb-a-event-kbd');
    expect(requireKeyboardPath('usb-b*-event-kbd', tree)).toBe('/dev/input/by-id/usb-b-event-kbd');
    expect(requireKeyboardPath('usb-later-event-kbd', tree)).toBe('/dev/input/by-id/usb-later-event-kbd');
    expect(() => requireKeyboardPath('usb.b-event-kbd*', tree)).toThrow('No USB keyboard');
  });
});
