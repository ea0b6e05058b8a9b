import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';
import { getErrorCode } from '@lintel/service/error-code';
import { parseUpdateSlots } from './parse-update-slots.ts';
import { emptyUpdateSlots, type UpdateSlots } from './update-slot-state.ts';

/* Written to two files, because the confirmed version protects against downgrades and must survive the loss of one file. */

export const UPDATE_SLOTS_FILE = 'slots.json';
const COPY_FILE = 'slots-copy.json';

export interface LoadedUpdateSlots {
  readonly slots: UpdateSlots;
  /** Describes an unreadable file and its substitute; null without damage. */
  readonly damage: string | null;
  /** Both files have the same contents, or neither exists. */
  readonly isCopyCurrent: boolean;
}

const readFile = (path: string): UpdateSlots | 'missing' | 'damaged' => {
  try {
    return parseUpdateSlots(JSON.parse(readFileSync(path, 'utf8'))) ?? 'damaged';
  } catch (error) {
    return getErrorCode(error) === 'ENOENT' ? 'missing' : 'damaged';
  }
};

/** `lastRunning` returns the release that ran last. It is the substitute when both files are lost. */
export const readUpdateSlots = (folder: string, lastRunning: () => UpdateSlots['good']): LoadedUpdateSlots => {
  const path = join(folder, UPDATE_SLOTS_FILE);
  const [first, copy] = [readFile(path), readFile(join(folder, COPY_FILE))];
  if (typeof first === 'object')
    return { slots: first, damage: null, isCopyCurrent: JSON.stringify(first) === JSON.stringify(copy) };
  if (first === 'missing' && copy === 'missing') return { slots: emptyUpdateSlots, damage: null, isCopyCurrent: true };
  if (typeof copy === 'object')
    return { slots: copy, damage: `${path} is ${first}. Its copy is used instead`, isCopyCurrent: false };
  const good = lastRunning();
  const substitute =
    good === null ? 'No confirmed version is known' : `Version ${good.version}, which ran last, counts as confirmed`;
  return {
    slots: { ...emptyUpdateSlots, good },
    damage: `${path} and its copy are damaged. ${substitute}`,
    isCopyCurrent: false,
  };
};

export const writeUpdateSlots = (folder: string, slots: UpdateSlots): void => {
  const text = `${JSON.stringify(slots)}\n`;
  for (const name of [UPDATE_SLOTS_FILE, COPY_FILE]) writePrivateFile(join(folder, name), text);
};
