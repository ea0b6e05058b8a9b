import { showScreen } from '@lintel/simulator/terminal/screen-face';
import type { TrialDoor } from '@lintel/simulator/terminal/trial-door';
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
