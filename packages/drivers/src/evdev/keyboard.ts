import * as z from 'zod';
import type { ExclusiveResource, ExclusiveUse } from '../definition/define-driver.ts';
import { type DeviceFiles, systemDeviceFiles } from '../device-files/device-files.ts';
import {
  createFindingFactory,
  describeDeviceAccessFix,
  type DoctorCheck,
  type DoctorFinding,
  type Probe,
} from '../host/finding.ts';
import type { DeviceFileAccess, HostSystem } from '../host/host-system.ts';

/** Name in /dev/input/by-id. `*` matches any text. */
export const keyboardNameSchema = z.string().regex(/^[\w.:*+-]{1,200}-event-kbd$/, { error: 'must end in -event-kbd' });

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Compares the name of a USB keyboard in `/dev/input/by-id` with the pattern of a profile. `*` matches any text. */
const matchesKeyboardPattern = (pattern: string, link: string): boolean =>
  new RegExp(`^${pattern.split('*').map(literally).join('.*')}$`).test(link);

const FOLDER = '/dev/input/by-id';

/** Returns the device path for the pattern of a profile, the first by name if several match. Throws if none matches. */
export const requireKeyboardPath = (pattern: string, tree: Pick<DeviceFiles, 'list'> = systemDeviceFiles): string => {
  if (!pattern.includes('*')) return `${FOLDER}/${pattern}`;
  let links: readonly string[] = [];
  try {
    links = tree.list(FOLDER);
  } catch {
    // The directory does not exist until an input device is plugged in.
  }
  const [first] = links.filter(link => matchesKeyboardPattern(pattern, link)).sort();
  if (first === undefined) throw new Error(`No USB keyboard matches ${pattern}`);
  return `${FOLDER}/${first}`;
};

/** Two buses that match the same keypad or reader would get it at random. */
const usbKeyboard: ExclusiveResource<string> = {
  overlaps: (a, b) => matchesKeyboardPattern(a, b) || matchesKeyboardPattern(b, a),
  describe: (_, user) => `may be the same USB keyboard as that of ${user}`,
};

export const useKeyboard = (device: string): readonly ExclusiveUse[] => [
  { resource: usbKeyboard, used: device, at: ['device'] },
];

export interface DetectedKeyboard {
  /** The name of its link below /dev/input/by-id. */
  readonly link: string;
  readonly access: DeviceFileAccess;
}

export const probeKeyboards = (machine: HostSystem): readonly DetectedKeyboard[] =>
  machine
    .list(FOLDER)
    .filter(link => link.endsWith('-event-kbd'))
    .map(link => ({ link, access: machine.access(`${FOLDER}/${link}`) }));

export const keyboards: Probe<readonly DetectedKeyboard[]> = {
  find: probeKeyboards,
  list(found, machine) {
    const { ok, note } = createFindingFactory('input');
    if (found.length === 0) return [note('No USB keypad')];
    return found.map(({ link, access }) =>
      access === 'yes'
        ? ok(link)
        : note(`${link} cannot be opened`, describeDeviceAccessFix(machine, `${FOLDER}/${link}`, 'input')),
    );
  },
};

/** `part`: what it is in words. */
export const checkKeyboard = (
  { name, machine, found }: DoctorCheck,
  { device, wire = 'it' }: { readonly device: string; readonly wire?: string | undefined },
  part: string,
): readonly DoctorFinding[] => {
  const { ok, note, bad } = createFindingFactory('profile');
  const fitting = found(keyboards).filter(({ link }) => matchesKeyboardPattern(device, link));
  const [first] = fitting;
  if (first === undefined)
    return [bad(`${name}: no ${part} ${device}`, `Plug in ${wire}. ls /dev/input/by-id lists keyboards`)];
  if (first.access !== 'yes')
    return [
      bad(
        `${name}: ${first.link} cannot be opened`,
        describeDeviceAccessFix(machine, `${FOLDER}/${first.link}`, 'input'),
      ),
    ];
  if (fitting.length > 1)
    return [
      note(
        `${name}: ${fitting.length} keyboards match ${device}`,
        `Choose one in the profile: "device": "${first.link}"`,
      ),
    ];
  return [ok(`${name}: ${first.link}`)];
};
