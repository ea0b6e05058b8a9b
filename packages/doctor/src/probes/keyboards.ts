import type { DeviceFileAccess, HostSystem } from '../host-system.ts';

export interface DetectedKeyboard {
  /** The name of its link below /dev/input/by-id. */
  readonly link: string;
  readonly access: DeviceFileAccess;
}

export const probeKeyboards = (machine: HostSystem): readonly DetectedKeyboard[] =>
  machine
    .list('/dev/input/by-id')
    .filter(link => link.endsWith('-event-kbd'))
    .map(link => ({ link, access: machine.access(`/dev/input/by-id/${link}`) }));
