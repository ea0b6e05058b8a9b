import type { Access, Machine } from '../machine.ts';

export interface FoundKeyboard {
  /** The name of its link below /dev/input/by-id. */
  readonly link: string;
  readonly access: Access;
}

export const findKeyboards = (machine: Machine): readonly FoundKeyboard[] =>
  machine
    .list('/dev/input/by-id')
    .filter(link => link.endsWith('-event-kbd'))
    .map(link => ({ link, access: machine.access(`/dev/input/by-id/${link}`) }));
