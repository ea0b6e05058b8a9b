import { showScreen } from '@lintel/simulator/terminal/screen-face';
import type { TrialDoor } from '@lintel/simulator/terminal/trial-door';
import { setTimeout as delay } from 'node:timers/promises';

/** A mistake of ours while the screen is up. */
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
await delay(200);
throw new Error('a mistake that somebody has to read');
