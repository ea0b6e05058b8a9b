import { type DoctorFinding, createFindingFactory } from './doctor-finding.ts';
import { describeDeviceAccessFix } from './user-groups-for-device-access.ts';
import type { ControllerInventory } from './controller-inventory.ts';
import type { HostSystem } from './host-system.ts';
import type { PcscReaderUsbPortAndSerial } from '@lintel/drivers/readers/pcsc/pcsc-reader-usb-identity';
import type { DetectedSerialPort } from './probes/serial-ports.ts';
import type { PcscProblem } from './probes/smart-card-readers.ts';

/** The stable path, the device, the maker and the product. */
const describeSerialPort = ({ path, tty, usb, maker, product, serial }: DetectedSerialPort): string => {
  const adapter = [maker, product].filter(text => text !== null).join(' ');
  const facts = [path === `/dev/${tty}` ? '' : tty, adapter, usb ?? '', serial === null ? '' : `serial ${serial}`];
  const known = facts.filter(text => text !== '');
  return known.length === 0 ? path : `${path} (${known.join(', ')})`;
};

const listSerial = (machine: HostSystem, { serialPorts }: ControllerInventory): readonly DoctorFinding[] => {
  const { ok, note } = createFindingFactory('serial');
  if (serialPorts.length === 0) return [note('No serial port')];
  return serialPorts.map(port => {
    const { path, access, isConsole } = port;
    const name = describeSerialPort(port);
    if (access === 'denied') return note(`${name} cannot be opened`, describeDeviceAccessFix(machine, path, 'dialout'));
    return isConsole ? note(`${name} is the kernel console`) : ok(name);
  });
};

const BLACKLIST =
  'echo "blacklist pn533_usb" | sudo tee /etc/modprobe.d/lintel-nfc.conf && sudo modprobe -r pn533_usb, then plug the reader in again';

const describePlace = ({ usb_path, serial }: PcscReaderUsbPortAndSerial): string =>
  `usb_path ${usb_path}${serial === null ? '' : `, serial ${serial}`}`;

const listSmartCards = ({ smartCards }: ControllerInventory): readonly DoctorFinding[] => {
  const { ok, note, bad } = createFindingFactory('pcsc');
  const { isInstalled, readers, problem, isTakenByKernel } = smartCards;
  return [
    ...(isTakenByKernel ? [bad("The kernel's pn533 driver blocks the ACR122U", BLACKLIST)] : []),
    ...(problem === null ? [] : [note(problem.text, describePcscFix(isInstalled, problem))]),
    ...readers.map(({ name, place }) => ok(place === null ? name : `${name}, ${describePlace(place)}`)),
    ...(problem === null && readers.length === 0
      ? [note('The PC/SC service is running, but no reader is connected')]
      : []),
  ];
};

export const describePcscFix = (isInstalled: boolean, { isHanging }: PcscProblem): string => {
  if (isHanging) return 'sudo systemctl restart pcscd';
  return isInstalled ? 'sudo systemctl enable --now pcscd.socket' : 'sudo apt install pcscd libccid';
};

const listGpio = (machine: HostSystem, { gpioChips }: ControllerInventory): readonly DoctorFinding[] => {
  const { ok, note } = createFindingFactory('gpio');
  if (gpioChips.length === 0) return [note('No GPIO chip')];
  return gpioChips.map(({ path, label, users }) => {
    if (label === null) return note(`${path} cannot be opened`, describeDeviceAccessFix(machine, path, 'gpio'));
    const usage =
      users.size === 0 ? 'no line in use' : `in use: ${[...users].map(([line, by]) => `${line} ${by}`).join(', ')}`;
    return ok(`${path} ${label}, ${usage}`);
  });
};

const listKeyboards = (machine: HostSystem, { keyboards }: ControllerInventory): readonly DoctorFinding[] => {
  const { ok, note } = createFindingFactory('input');
  if (keyboards.length === 0) return [note('No USB keypad')];
  return keyboards.map(({ link, access }) =>
    access === 'yes'
      ? ok(link)
      : note(`${link} cannot be opened`, describeDeviceAccessFix(machine, `/dev/input/by-id/${link}`, 'input')),
  );
};

/** Lists the connected hardware. */
export const listHardwareFindings = (machine: HostSystem, inventory: ControllerInventory): readonly DoctorFinding[] => [
  ...listSerial(machine, inventory),
  ...listSmartCards(inventory),
  ...listGpio(machine, inventory),
  ...listKeyboards(machine, inventory),
];
