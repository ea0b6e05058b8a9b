import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandWriter } from '@lintel/service/command-line/cli-command';
import { performKeyBinding } from './key-bindings.ts';
import type { DoorSimulation } from './door-simulation.ts';

const WAIT = '.';
const WAIT_MS = 1000;

const describeState = (door: DoorSimulation): string => {
  const { entry, doors } = door.view();
  const entryText =
    entry.phase === 'armed'
      ? `rule selected: ${entry.armed}`
      : entry.phase === 'code'
        ? `typing a code: ${entry.typed}`
        : 'idle';
  const locks = doors.map(({ name, isUnlocked }) => `${name} ${isUnlocked ? 'UNLOCKED' : 'locked'}`);
  return `= ${[entryText, ...locks].join(' · ')}\n`;
};

/** Reads keys from lines of text and prints the state after each line. `.` waits for one second. */
export const runTerminalLineMode = async (
  door: DoorSimulation,
  input: Readable,
  output: CommandWriter,
): Promise<void> => {
  for await (const line of createInterface({ input })) {
    for (const character of line) {
      // An open input would keep the process alive.
      if (character === 'q') return void input.destroy();
      if (character === WAIT) await delay(WAIT_MS);
      else if (!performKeyBinding(door, character) && character.trim() !== '')
        output.write(`Unknown key: ${character}\n`);
    }
    // The response of another controller arrives in the next turn.
    await delay(0);
    if (line.trim() !== '') output.write(describeState(door));
  }
};
