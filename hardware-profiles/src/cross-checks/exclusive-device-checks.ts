import type { HardwareBus, BusWithDriver } from '../bus-schemas.ts';
import { matchesKeyboardPattern } from '../keyboard-pattern.ts';
import type { SerialPortChoice } from '../serial-port-field-schemas.ts';
import type { ProfileCrossCheck } from './cross-check-type-and-part-names.ts';

/** The first earlier item that matches. */
const findEarlier = <T>(all: readonly T[], index: number, isSame: (a: T, b: T) => boolean): T | undefined =>
  all.slice(0, index).find(other => isSame(other, all[index]!));

/** Without a serial number, an adapter matches any adapter with the same USB ids. */
const maybeSamePort = (a: SerialPortChoice, b: SerialPortChoice): boolean => {
  if ('path' in a || 'path' in b) return 'path' in a && 'path' in b && a.path === b.path;
  return a.usb === b.usb && (a.serial === undefined || b.serial === undefined || a.serial === b.serial);
};

/** Two drivers on one port would each receive only a part of the data. */
export const checkSerialPortsAreUsedOnce: ProfileCrossCheck = ({ buses }, report) => {
  const users = Object.entries(buses).flatMap(([name, bus]) => ('port' in bus ? [{ name, port: bus.port }] : []));
  for (const [index, { name }] of users.entries()) {
    const other = findEarlier(users, index, (a, b) => maybeSamePort(a.port, b.port));
    if (other !== undefined) report(['buses', name, 'port'], `may be the same port as that of bus ${other.name}`);
  }
};

const usbKeyboardDrivers = ['usb-keypad', 'keyboard-wedge', 'qr-keyboard'] as const;
type UsbKeyboard = BusWithDriver<(typeof usbKeyboardDrivers)[number]>;

const isUsbKeyboard = (entry: [string, HardwareBus]): entry is [string, UsbKeyboard] =>
  (usbKeyboardDrivers as readonly string[]).includes(entry[1].driver);

/** Two buses that match the same keypad or reader would get it at random. */
export const checkUsbKeyboardsAreUsedOnce: ProfileCrossCheck = ({ buses }, report) => {
  const keypads = Object.entries(buses).filter(isUsbKeyboard);
  for (const [index, [name]] of keypads.entries()) {
    const other = findEarlier(
      keypads,
      index,
      ([, a], [, b]) => matchesKeyboardPattern(a.device, b.device) || matchesKeyboardPattern(b.device, a.device),
    );
    if (other !== undefined)
      report(['buses', name, 'device'], `may be the same USB keyboard as that of bus ${other[0]}`);
  }
};

/** Two drivers at one address or chip select would disturb each other. */
export const checkHeaderPinDevicesAreUsedOnce: ProfileCrossCheck = ({ buses, power: { gauge } }, report) => {
  const gaugeAt = gauge !== undefined && 'address' in gauge ? [[`${gauge.bus} ${gauge.address}`, 'the gauge']] : [];
  const users = new Map(gaugeAt as [string, string][]);
  for (const [name, bus] of Object.entries(buses)) {
    const isOnI2c = bus.driver === 'mcp23017' || bus.driver === 'pn532-i2c';
    const isOnSpi = bus.driver === 'pn532-spi' || bus.driver === 'rc522';
    if (!isOnI2c && !isOnSpi) continue;
    const [place, field] = isOnI2c ? [`${bus.bus} ${bus.address}`, 'address'] : [bus.device, 'device'];
    const other = users.get(place);
    if (other !== undefined) report(['buses', name, field], `is already used by ${other}`);
    users.set(place, `bus ${name}`);
  }
};

/** Without a USB port, a relay matches any relay of its kind. */
export const checkHidRelaysAreUsedOnce: ProfileCrossCheck = ({ buses }, report) => {
  const relays = Object.entries(buses).flatMap(([name, bus]) => (bus.driver === 'hid-relay' ? [{ name, bus }] : []));
  for (const [index, { name }] of relays.entries()) {
    const other = findEarlier(
      relays,
      index,
      ({ bus: a }, { bus: b }) => (a.usb_path ?? b.usb_path) === (b.usb_path ?? a.usb_path),
    );
    if (other !== undefined)
      report(['buses', name], `may be the same USB relay as that of bus ${other.name}: set usb_path for both`);
  }
};
