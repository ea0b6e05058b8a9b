import { type Finding, speaker } from './finding.ts';
import { accessFix } from './groups.ts';
import type { Inventory } from './inventory.ts';
import type { Machine } from './machine.ts';
import type { PcscTrouble } from './probes/smart-cards.ts';

const listSerial = (machine: Machine, { serialPorts }: Inventory): readonly Finding[] => {
  const { ok, note } = speaker('serial');
  if (serialPorts.length === 0) return [note('no serial port')];
  return serialPorts.map(({ path, usb, access, isConsole }) => {
    const name = usb === null ? path : `${path} (${usb})`;
    if (access === 'denied') return note(`${name} may not be opened`, accessFix(machine, path, 'dialout'));
    return isConsole ? note(`${name} is the console of the kernel`) : ok(name);
  });
};

const BLACKLIST =
  'echo "blacklist pn533_usb" | sudo tee /etc/modprobe.d/lintel-nfc.conf && sudo modprobe -r pn533_usb, then plug the reader in again';

const listSmartCards = ({ smartCards }: Inventory): readonly Finding[] => {
  const { ok, note, bad } = speaker('pcsc');
  const { isInstalled, readers, trouble, isStolen } = smartCards;
  return [
    ...(isStolen ? [bad("the kernel's pn533 driver has taken the ACR122U", BLACKLIST)] : []),
    ...(trouble === null ? [] : [note(trouble.text, pcscFix(isInstalled, trouble))]),
    ...readers.map(reader => ok(reader)),
    ...(trouble === null && readers.length === 0 ? [note('the PC/SC service runs and has no reader')] : []),
  ];
};

export const pcscFix = (isInstalled: boolean, { hangs }: PcscTrouble): string => {
  if (hangs) return 'sudo systemctl restart pcscd';
  return isInstalled ? 'sudo systemctl enable --now pcscd.socket' : 'sudo apt install pcscd libccid';
};

const listGpio = (machine: Machine, { gpioChips }: Inventory): readonly Finding[] => {
  const { ok, note } = speaker('gpio');
  if (gpioChips.length === 0) return [note('no GPIO chip')];
  return gpioChips.map(({ path, label, users }) => {
    if (label === null) return note(`${path} may not be opened`, accessFix(machine, path, 'gpio'));
    const taken =
      users.size === 0 ? 'no line taken' : `taken: ${[...users].map(([line, by]) => `${line} ${by}`).join(', ')}`;
    return ok(`${path} ${label}, ${taken}`);
  });
};

const listKeyboards = (machine: Machine, { keyboards }: Inventory): readonly Finding[] => {
  const { ok, note } = speaker('input');
  if (keyboards.length === 0) return [note('no USB keypad')];
  return keyboards.map(({ link, access }) =>
    access === 'yes'
      ? ok(link)
      : note(`${link} may not be opened`, accessFix(machine, `/dev/input/by-id/${link}`, 'input')),
  );
};

/** What is plugged in. */
export const listParts = (machine: Machine, inventory: Inventory): readonly Finding[] => [
  ...listSerial(machine, inventory),
  ...listSmartCards(inventory),
  ...listGpio(machine, inventory),
  ...listKeyboards(machine, inventory),
];
