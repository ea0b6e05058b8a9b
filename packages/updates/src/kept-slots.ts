import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from '@lintel/service/data-folder/private-file';
import { slotsOf } from './read-slots.ts';
import { emptySlots, type Slots } from './slot-machine.ts';

/*
 * Kept twice, one after the other: what was confirmed is the lock against older versions, and one file that cannot be read
 * must not open it.
 */

export const SLOTS_FILE = 'slots.json';
const COPY = 'slots-copy.json';

export interface KeptSlots {
  readonly slots: Slots;
  /** What cannot be read, and what is gone by instead; null: nothing. */
  readonly damage: string | null;
  /** Both files say this, or there is neither. */
  readonly isTwofold: boolean;
}

const readOne = (path: string): Slots | 'not there' | 'damaged' => {
  try {
    return slotsOf(JSON.parse(readFileSync(path, 'utf8'))) ?? 'damaged';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'not there' : 'damaged';
  }
};

/** `shown` is what ran last, asked where both files are lost. */
export const readKept = (folder: string, shown: () => Slots['good']): KeptSlots => {
  const path = join(folder, SLOTS_FILE);
  const [first, copy] = [readOne(path), readOne(join(folder, COPY))];
  if (typeof first === 'object')
    return { slots: first, damage: null, isTwofold: JSON.stringify(first) === JSON.stringify(copy) };
  if (first === 'not there' && copy === 'not there') return { slots: emptySlots, damage: null, isTwofold: true };
  if (typeof copy === 'object')
    return { slots: copy, damage: `${path} is ${first}: its copy is gone by`, isTwofold: false };
  const good = shown();
  const words =
    good === null ? 'nothing is known to be confirmed' : `${good.version}, which ran last, is taken for good`;
  return { slots: { ...emptySlots, good }, damage: `${path} and its copy are damaged: ${words}`, isTwofold: false };
};

export const writeKept = (folder: string, slots: Slots): void => {
  const text = `${JSON.stringify(slots)}\n`;
  for (const name of [SLOTS_FILE, COPY]) writePrivately(join(folder, name), text);
};
