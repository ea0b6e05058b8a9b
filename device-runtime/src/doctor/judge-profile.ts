import type { Bus, BusOf, SerialPortChoice } from '@lintel/hardware-profiles/buses';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import { lineInWords } from '@lintel/hardware-profiles/raspberry-header';
import { type Finding, speaker } from './finding.ts';
import { accessFix } from './groups.ts';
import type { Inventory } from './inventory.ts';
import { pcscFix } from './list-parts.ts';
import type { Machine } from './machine.ts';
import { isSerialPort } from './probes/terminal.ts';
import { matchesLink } from '@lintel/drivers/open-parts/keypad-link';

interface Question<B extends Bus = Bus> {
  readonly name: string;
  readonly bus: B;
  readonly machine: Machine;
  readonly inventory: Inventory;
}

const { ok, note, bad } = speaker('profile');

const UART_FIX =
  'in /boot/firmware/config.txt: enable_uart=1 and dtoverlay=disable-bt (Pi 4, Zero 2 W) or dtparam=uart0=on (Pi 5); remove console=serial0,115200 from cmdline.txt; restart';

/** Nobody has talked to what hangs on it. */
const portIsThere = (name: string, path: string): string => `${name}: the port ${path} is there and may be opened`;

const judgePort = ({ name, machine, inventory }: Question, port: SerialPortChoice): Finding => {
  const { serialPorts } = inventory;
  if ('usb' in port) {
    const same = serialPorts.filter(({ usb, serial }) => usb === port.usb && (port.serial ?? serial) === serial);
    const [only] = same;
    if (only === undefined) return bad(`${name}: no USB adapter ${port.usb}`, 'plug it in; lsusb shows what is there');
    if (same.length > 1)
      return bad(
        `${name}: ${same.length} USB adapters ${port.usb}`,
        `give the bus a path: ${same.map(({ path }) => path).join(' or ')}`,
      );
    if (only.access === 'denied')
      return bad(`${name}: ${only.path} may not be opened`, accessFix(machine, only.path, 'dialout'));
    return ok(portIsThere(name, only.path));
  }
  const { path } = port;
  const access = machine.access(path);
  if (access === 'denied') return bad(`${name}: ${path} may not be opened`, accessFix(machine, path, 'dialout'));
  const isOnPins = path.startsWith('/dev/ttyAMA') || path === '/dev/serial0';
  if (access === 'absent')
    return bad(
      `${name}: there is no ${path}`,
      isOnPins ? UART_FIX : 'plug it in; ls -l /dev/serial/by-id shows what is there',
    );
  if (!isSerialPort(machine, path))
    return bad(`${name}: ${path} is no serial port`, 'ls -l /dev/serial/by-id shows those that are there');
  const found = serialPorts.find(one => one.path === path || `/dev/${one.tty}` === machine.resolve(path));
  if (found?.isConsole === true) return bad(`${name}: ${path} is the console of the kernel`, UART_FIX);
  return ok(portIsThere(name, path));
};

/** The lines of a bus by what they are for. */
const linesOf = (bus: BusOf<'gpio' | 'matrix-keypad' | 'wiegand'>): readonly (readonly [string, number])[] => {
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

const judgeChip = ({
  name,
  bus,
  machine,
  inventory,
}: Question<BusOf<'gpio' | 'matrix-keypad' | 'wiegand'>>): Finding[] => {
  const { gpioChips } = inventory;
  const chip = gpioChips.find(({ label }) => label !== null && bus.chip.includes(label));
  const closed = gpioChips.find(({ label }) => label === null);
  if (chip === undefined && closed !== undefined)
    return [bad(`${name}: ${closed.path} may not be opened`, accessFix(machine, closed.path, 'gpio'))];
  if (chip === undefined)
    return [
      bad(`${name}: no GPIO chip ${bus.chip.join(' or ')}`, 'this profile is for another board: lintel profile list'),
    ];
  const taken = linesOf(bus).flatMap(([line, offset]) => {
    const user = chip.users.get(offset);
    // Our own controller, running beside the doctor.
    return user === undefined || user === 'lintel' ? [] : [{ line, offset, user }];
  });
  if (taken.length === 0) return [ok(`${name}: ${chip.label} on ${chip.path}, all lines are free or ours`)];
  return taken.map(({ line, offset, user }) =>
    bad(
      `${name}: ${line} on ${lineInWords(bus.chip, offset)} is taken by ${user}`,
      'remove the overlay that takes it from /boot/firmware/config.txt, or move the wire and change the line in the profile',
    ),
  );
};

const judgeKeypad = ({ name, bus, machine, inventory }: Question<BusOf<'usb-keypad'>>): Finding => {
  const fitting = inventory.keyboards.filter(({ link }) => matchesLink(bus.device, link));
  const [first] = fitting;
  if (first === undefined)
    return bad(
      `${name}: no USB keypad ${bus.device}`,
      `plug in ${bus.wire ?? 'the keypad'}; ls /dev/input/by-id shows what is there`,
    );
  if (first.access !== 'yes')
    return bad(
      `${name}: ${first.link} may not be opened`,
      accessFix(machine, `/dev/input/by-id/${first.link}`, 'input'),
    );
  if (fitting.length > 1)
    return note(
      `${name}: ${fitting.length} keyboards fit ${bus.device}`,
      `say which in the profile: "device": "${first.link}"`,
    );
  return ok(`${name}: ${first.link}`);
};

const judgeReaders = ({ bus, inventory }: Question<BusOf<'pcsc'>>): Finding[] => {
  const { readers, trouble, isInstalled, isAcr122Plugged } = inventory.smartCards;
  if (trouble !== null) return [bad(trouble.text, pcscFix(isInstalled, trouble))];
  return Object.entries(bus.readers).map(([name, { model, wire }]) => {
    const found = readers.find(reader => model === undefined || reader.toLowerCase().includes(model.toLowerCase()));
    if (found !== undefined) return ok(`${name}: ${found}`);
    const fix = isAcr122Plugged
      ? 'it is plugged in but not listed: pull it out and plug it in again, then sudo systemctl restart pcscd'
      : `plug in ${wire ?? 'the reader'}; lsusb shows what is there`;
    return bad(`${name}: no PC/SC reader${model === undefined ? '' : ` ${model}`}`, fix);
  });
};

const judgeBus = (question: Question): readonly Finding[] => {
  const { bus, name } = question;
  switch (bus.driver) {
    case 'gpio':
    case 'matrix-keypad':
    case 'wiegand':
      return judgeChip({ ...question, bus });
    case 'usb-keypad':
      return [judgeKeypad({ ...question, bus })];
    case 'pcsc':
      return judgeReaders({ ...question, bus });
    case 'simulated':
      return [ok(`${name}: simulated`)];
    default:
      return [judgePort(question, bus.port)];
  }
};

/** What the profile wants against what is there. */
export const judgeProfile = (profile: Profile, machine: Machine, inventory: Inventory): readonly Finding[] =>
  Object.entries(profile.buses).flatMap(([name, bus]) => judgeBus({ name, bus, machine, inventory }));
