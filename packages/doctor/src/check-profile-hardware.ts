import type { HardwareBus, BusWithDriver } from '@lintel/hardware-profiles/bus-schemas';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import { describeGpioLine } from '@lintel/hardware-profiles/describe-gpio-line';
import type { SerialPortChoice } from '@lintel/hardware-profiles/serial-port-field-schemas';
import { type DoctorFinding, createFindingFactory } from './doctor-finding.ts';
import { describeDeviceAccessFix } from './user-groups-for-device-access.ts';
import type { ControllerInventory } from './controller-inventory.ts';
import { describePcscFix } from './list-hardware-findings.ts';
import type { HostSystem } from './host-system.ts';
import { isSerialPort } from './probes/is-serial-port.ts';
import { isChosenPcscReader } from '@lintel/drivers/readers/pcsc/pcsc-reader';
import { requireHidRelayPath } from '@lintel/drivers/open-hardware/hid-relay-path';
import { matchesKeyboardPattern } from '@lintel/hardware-profiles/keyboard-pattern';

interface BusCheck<B extends HardwareBus = HardwareBus> {
  readonly name: string;
  readonly bus: B;
  readonly machine: HostSystem;
  readonly inventory: ControllerInventory;
}

const { ok, note, bad } = createFindingFactory('profile');

const UART_FIX =
  'In /boot/firmware/config.txt: enable_uart=1 and dtoverlay=disable-bt (Pi 4, Zero 2 W) or dtparam=uart0=on (Pi 5); remove console=serial0,115200 from cmdline.txt; restart';

/** Does not communicate with the connected part. */
const portAvailable = (name: string, path: string): string => `${name}: the port ${path} exists and can be opened`;

const checkSerialPort = ({ name, machine, inventory }: BusCheck, port: SerialPortChoice): DoctorFinding => {
  const { serialPorts } = inventory;
  if ('usb' in port) {
    const same = serialPorts.filter(({ usb, serial }) => usb === port.usb && (port.serial ?? serial) === serial);
    const [only] = same;
    if (only === undefined) return bad(`${name}: no USB adapter ${port.usb}`, 'Plug it in. lsusb lists USB devices');
    if (same.length > 1)
      return bad(
        `${name}: ${same.length} USB adapters ${port.usb}`,
        `Set a path for the bus: ${same.map(({ path }) => path).join(' or ')}`,
      );
    if (only.access === 'denied')
      return bad(`${name}: ${only.path} cannot be opened`, describeDeviceAccessFix(machine, only.path, 'dialout'));
    return ok(portAvailable(name, only.path));
  }
  const { path } = port;
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
  const found = serialPorts.find(
    candidate => candidate.path === path || `/dev/${candidate.tty}` === machine.resolve(path),
  );
  if (found?.isConsole === true) return bad(`${name}: ${path} is the kernel console`, UART_FIX);
  return ok(portAvailable(name, path));
};

/** The lines of a bus with their purpose. */
const linesOf = (bus: BusWithDriver<'gpio' | 'matrix-keypad' | 'wiegand'>): readonly (readonly [string, number])[] => {
  if (bus.driver === 'gpio')
    return [...Object.entries(bus.outputs), ...Object.entries(bus.inputs)].map(([name, { line }]) => [name, line]);
  if (bus.driver === 'wiegand')
    return [
      ['D0', bus.d0],
      ['D1', bus.d1],
    ];
  return [
    ...bus.rows.map((line, index) => [`row ${index + 1}`, line] as const),
    ...bus.columns.map((line, index) => [`column ${index + 1}`, line] as const),
  ];
};

const checkGpioChip = ({
  name,
  bus,
  machine,
  inventory,
}: BusCheck<BusWithDriver<'gpio' | 'matrix-keypad' | 'wiegand'>>): DoctorFinding[] => {
  const { gpioChips } = inventory;
  const chip = gpioChips.find(({ label }) => label !== null && bus.chip.includes(label));
  const closed = gpioChips.find(({ label }) => label === null);
  if (chip === undefined && closed !== undefined)
    return [bad(`${name}: ${closed.path} cannot be opened`, describeDeviceAccessFix(machine, closed.path, 'gpio'))];
  if (chip === undefined)
    return [
      bad(
        `${name}: no GPIO chip ${bus.chip.join(' or ')}`,
        'This profile is for another board. lintel profile list shows all profiles',
      ),
    ];
  const inUse = linesOf(bus).flatMap(([line, offset]) => {
    const user = chip.users.get(offset);
    // The running controller itself.
    return user === undefined || user === 'lintel' ? [] : [{ line, offset, user }];
  });
  if (inUse.length === 0) return [ok(`${name}: ${chip.label} on ${chip.path}, all lines are available`)];
  return inUse.map(({ line, offset, user }) =>
    bad(
      `${name}: ${line} on ${describeGpioLine(bus.chip, offset)} is in use by ${user}`,
      'Remove the overlay that uses it from /boot/firmware/config.txt, or move the wire and change the line in the profile',
    ),
  );
};

const keyboardParts = {
  'usb-keypad': 'USB keypad',
  'keyboard-wedge': 'USB card reader',
  'qr-keyboard': 'USB QR reader',
} as const;

const checkKeypad = ({
  name,
  bus,
  machine,
  inventory,
}: BusCheck<BusWithDriver<'usb-keypad' | 'keyboard-wedge' | 'qr-keyboard'>>): DoctorFinding => {
  const fitting = inventory.keyboards.filter(({ link }) => matchesKeyboardPattern(bus.device, link));
  const [first] = fitting;
  if (first === undefined)
    return bad(
      `${name}: no ${keyboardParts[bus.driver]} ${bus.device}`,
      `Plug in ${bus.wire ?? 'it'}. ls /dev/input/by-id lists keyboards`,
    );
  if (first.access !== 'yes')
    return bad(
      `${name}: ${first.link} cannot be opened`,
      describeDeviceAccessFix(machine, `/dev/input/by-id/${first.link}`, 'input'),
    );
  if (fitting.length > 1)
    return note(
      `${name}: ${fitting.length} keyboards match ${bus.device}`,
      `Choose one in the profile: "device": "${first.link}"`,
    );
  return ok(`${name}: ${first.link}`);
};

const checkReaders = ({ bus, inventory }: BusCheck<BusWithDriver<'pcsc'>>): DoctorFinding[] => {
  const { readers, problem, isInstalled, isAcr122Plugged } = inventory.smartCards;
  if (problem !== null) return [bad(problem.text, describePcscFix(isInstalled, problem))];
  return Object.entries(bus.readers).map(([name, choice]) => {
    const { model, usb_path, serial, wire, assign } = choice;
    if (assign !== undefined)
      return readers.length >= Object.keys(bus.readers).length
        ? note(`${name}: is assigned on the tests page of the controller`)
        : bad(
            `${name}: ${readers.length} of ${Object.keys(bus.readers).length} PC/SC readers are connected`,
            `Plug in ${wire ?? 'the reader'}`,
          );
    const found = readers.find(reader => isChosenPcscReader(choice, reader.name, reader.place));
    if (found !== undefined) return ok(`${name}: ${found.name}`);
    const fix = isAcr122Plugged
      ? 'It is plugged in but not listed. Unplug it, plug it in again, then run sudo systemctl restart pcscd'
      : `Plug in ${wire ?? 'the reader'}. lsusb lists USB devices`;
    const wanted = [model, serial, usb_path === undefined ? undefined : `at USB port ${usb_path}`];
    return bad([`${name}: no PC/SC reader`, ...wanted.filter(text => text !== undefined)].join(' '), fix);
  });
};

const loadModuleFix = (module: string): string =>
  `sudo modprobe ${module} && echo ${module} | sudo tee /etc/modules-load.d/${module}.conf`;

/** The bus is on, and only the kernel module for its device file is missing, or the bus is off. */
const describeI2cFix = (machine: HostSystem, bus: number): string =>
  machine.resolve(`/sys/bus/i2c/devices/i2c-${bus}`) === null
    ? 'In /boot/firmware/config.txt: dtparam=i2c_arm=on; write i2c-dev into /etc/modules-load.d/i2c-dev.conf; restart'
    : loadModuleFix('i2c-dev');

const describeSpiFix = (machine: HostSystem, device: string): string =>
  machine.resolve(`/sys/bus/spi/devices/${device.replace('/dev/spidev', 'spi')}`) === null
    ? 'In /boot/firmware/config.txt: dtparam=spi=on; restart'
    : loadModuleFix('spidev');

const HID_RELAY_RULE =
  'SUBSYSTEM=="hidraw", ATTRS{idVendor}=="16c0", ATTRS{idProduct}=="05df", GROUP="dialout", MODE="0660"';

/** Without a rule of udev, only root can open the relay. */
const describeHidRelayFix = (machine: HostSystem, path: string): string => {
  const group = machine.groupOf(path);
  if (group !== null && group !== 0) return describeDeviceAccessFix(machine, path, 'dialout');
  return `echo '${HID_RELAY_RULE}' | sudo tee /etc/udev/rules.d/70-lintel-relay.rules, sudo udevadm control --reload, plug the relay in again; ${describeDeviceAccessFix(machine, path, 'dialout')}`;
};

const checkPinDevice = ({ name, machine }: BusCheck, path: string, group: string, fix: string): DoctorFinding => {
  const access = machine.access(path);
  if (access === 'absent') return bad(`${name}: ${path} does not exist`, fix);
  if (access === 'denied')
    return bad(`${name}: ${path} cannot be opened`, describeDeviceAccessFix(machine, path, group));
  return ok(portAvailable(name, path));
};

const checkHidRelay = ({ name, bus, machine }: BusCheck<BusWithDriver<'hid-relay'>>): DoctorFinding => {
  const files = {
    list: (folder: string) => machine.list(folder),
    read: (file: string) => machine.read(file) ?? '',
    resolve: (path: string) => machine.resolve(path) ?? '',
  };
  try {
    const path = requireHidRelayPath(bus.usb_path, files);
    if (machine.access(path) !== 'yes')
      return bad(`${name}: ${path} cannot be opened`, describeHidRelayFix(machine, path));
    return ok(`${name}: ${path}`);
  } catch (error) {
    return bad(`${name}: ${(error as Error).message}`, 'Plug it in. lsusb lists USB devices');
  }
};

const checkBus = (check: BusCheck): readonly DoctorFinding[] => {
  const { bus, name } = check;
  switch (bus.driver) {
    case 'gpio':
    case 'matrix-keypad':
    case 'wiegand':
      return checkGpioChip({ ...check, bus });
    case 'usb-keypad':
    case 'keyboard-wedge':
    case 'qr-keyboard':
      return [checkKeypad({ ...check, bus })];
    case 'pcsc':
      return checkReaders({ ...check, bus });
    case 'hid-relay':
      return [checkHidRelay({ ...check, bus })];
    case 'mcp23017':
    case 'pn532-i2c':
      return [checkPinDevice(check, `/dev/i2c-${bus.bus}`, 'i2c', describeI2cFix(check.machine, bus.bus))];
    case 'pn532-spi':
    case 'rc522':
      return [checkPinDevice(check, bus.device, 'spi', describeSpiFix(check.machine, bus.device))];
    case 'modbus-tcp':
    case 'shelly':
      return [note(`${name}: relays at ${bus.host} in the network are not checked`)];
    case 'http-relay':
      return [note(`${name}: relays at ${bus.url} are not checked`)];
    case 'simulated':
      return [ok(`${name}: simulated`)];
    default:
      return [checkSerialPort(check, bus.port)];
  }
};

const SYSTEM_BUS = '/run/dbus/system_bus_socket';
const BLUETOOTH_SERVICES = ['/usr/libexec/bluetooth/bluetoothd', '/usr/lib/bluetooth/bluetoothd'];

const checkBluetooth = ({ bluetooth }: Profile, machine: HostSystem): readonly DoctorFinding[] => {
  if (bluetooth === undefined || bluetooth.adapter === 'simulated') return [];
  if (BLUETOOTH_SERVICES.every(path => machine.resolve(path) === null))
    return [bad('bluetooth: BlueZ is not installed', 'sudo apt install bluez')];
  if (machine.access(SYSTEM_BUS) === 'absent')
    return [bad('bluetooth: the system message bus is not running', 'sudo systemctl start dbus')];
  const adapters = machine.list('/sys/class/bluetooth').filter(name => /^hci\d+$/.test(name));
  const wanted = bluetooth.adapter ?? adapters[0];
  if (wanted === undefined || !adapters.includes(wanted))
    return [
      bad(
        `bluetooth: no adapter${wanted === undefined ? '' : ` ${wanted}`}`,
        'Plug in a USB adapter, or remove dtoverlay=disable-bt from /boot/firmware/config.txt. bluetoothctl list shows adapters',
      ),
    ];
  return [ok(`bluetooth: ${wanted}`)];
};

/** Compares the hardware of the profile with the detected hardware. */
export const checkProfileHardware = (
  profile: Profile,
  machine: HostSystem,
  inventory: ControllerInventory,
): readonly DoctorFinding[] => [
  ...Object.entries(profile.buses).flatMap(([name, bus]) => checkBus({ name, bus, machine, inventory })),
  ...checkBluetooth(profile, machine),
];
