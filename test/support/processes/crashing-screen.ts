import { showScreen } from '../../../simulator/src/terminal/screen-face.ts';
import type { TrialDoor } from '../../../simulator/src/terminal/trial-door.ts';
import { setImmediate } from 'node:timers/promises';

/** Throws while the screen is shown. */
const door = {
  view: () => ({
    doors: [],
    stations: [],
    others: [],
    happened: [],
    faults: [],
    entry: { expected: '' },
    decision: '',
  }),
} as unknown as TrialDoor;
void showScreen(door, { input: process.stdin, output: process.stdout });
await setImmediate();
throw new Error('an error to read');
