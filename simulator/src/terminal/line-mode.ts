import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandWriter } from '@lintel/service/command-line/command';
import { performKey } from './key-bindings.ts';
import type { TrialDoor } from './trial-door.ts';

const WAIT = '.';
const WAIT_MS = 1000;

const stateInWords = (door: TrialDoor): string => {
  const { entry, doors } = door.view();
  const armed =
    entry.phase === 'armed' ? `armed: ${entry.armed}` : entry.phase === 'code' ? `in a code: ${entry.typed}` : 'idle';
  const locks = doors.map(({ name, isUnlocked }) => `${name} ${isUnlocked ? 'UNLOCKED' : 'locked'}`);
  return `= ${[armed, ...locks].join(' · ')}\n`;
};

/** Without a terminal: the same characters, a line at a time; what happens is printed as it comes. `.` waits a second. */
export const readLines = async (door: TrialDoor, input: Readable, output: CommandWriter): Promise<void> => {
  for await (const line of createInterface({ input })) {
    for (const character of line) {
      // Input that stays open would keep the process alive.
      if (character === 'q') return void input.destroy();
      if (character === WAIT) await delay(WAIT_MS);
      else if (!performKey(door, character) && character.trim() !== '')
        output.write(`? ${character} means nothing here\n`);
    }
    // The response of another controller comes a moment later.
    await delay(0);
    if (line.trim() !== '') output.write(stateInWords(door));
  }
};
