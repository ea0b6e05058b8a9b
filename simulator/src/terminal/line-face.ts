import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandWriter } from '@lintel/service/command-line/command';
import { actOn } from './hands.ts';
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
  let rest = '';
  const obey = async (line: string): Promise<boolean> => {
    for (const character of line) {
      if (character === 'q') return false;
      if (character === WAIT) await delay(WAIT_MS);
      else if (!actOn(door, character) && character.trim() !== '') output.write(`? ${character} means nothing here\n`);
    }
    // Another controller's answer, where one was asked, comes a moment later.
    await delay(0);
    if (line.trim() !== '') output.write(stateInWords(door));
    return true;
  };
  for await (const chunk of input.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) if (!(await obey(line))) return;
  }
  await obey(rest);
};
