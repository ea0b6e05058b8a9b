import { type DoorSimulation, runTerminalFullScreen } from '@lintel/simulator/testing';
import { setImmediate } from 'node:timers/promises';

/** Throws while the screen is shown. */
const door = {
  view: () => ({
    doors: [],
    stations: [],
    others: [],
    history: [],
    faults: [],
    entry: { expected: '' },
    decision: '',
  }),
} as unknown as DoorSimulation;
void runTerminalFullScreen(door, { input: process.stdin, output: process.stdout });
await setImmediate();
throw new Error('an error to read');
