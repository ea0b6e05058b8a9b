import { type DeviceTree, realDeviceTree } from './serial-path.ts';

const FOLDER = '/dev/input/by-id';

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** `*` stands for anything. */
export const matchesLink = (pattern: string, link: string): boolean =>
  new RegExp(`^${pattern.split('*').map(literally).join('.*')}$`).test(link);

/** The path of the keypad that a profile means; the first by name when several fit. Throws when there is none. */
export const keypadPathOf = (pattern: string, tree: Pick<DeviceTree, 'list'> = realDeviceTree): string => {
  if (!pattern.includes('*')) return `${FOLDER}/${pattern}`;
  let links: readonly string[] = [];
  try {
    links = tree.list(FOLDER);
  } catch {
    // No input device at all has ever been plugged in.
  }
  const [first] = links.filter(link => matchesLink(pattern, link)).sort();
  if (first === undefined) throw new Error(`no USB keypad ${pattern} is plugged in`);
  return `${FOLDER}/${first}`;
};
