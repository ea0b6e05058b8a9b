import { capitalize } from '../capitalize.ts';
import { plural } from './plural.ts';

export const heading = 'Tests';
export const intro = 'Test each part and record the result for the report.';
export const progress = (done: number, all: number) => `${done} of ${all} done`;
export const notTested = 'not tested';
export const awaitingResult = 'run, awaiting result';
export const pass = 'Pass';
export const fail = 'Fail';
export const skip = 'Skip';
export const groups = {
  doors: 'Doors and gadgets',
  outputs: 'Relays, lights and buzzers',
  stations: 'Keypads and readers',
  inputs: 'Contacts and buttons',
  power: 'Power supply',
  health: 'Network, clock and hardware',
};
export const pulse = 'Pulse';
export const pulsed = 'The output was on for half a second.';
export const executed = 'Done. Did it move?';
export const rule = (action: string) => `Keypad rule: ${action}`;
export const selfTest = 'Run the self-test';
export const selfTested = (passed: number, failed: number) =>
  `${plural(passed, 'check', 'checks')} passed, ${failed} failed. Saved in the report.`;
export const readCard = 'Read a card';
export const phone = 'A phone was read.';
export const uidOnce = 'Shown once, not stored.';
export const keypad = (station: string) => `Keypad ${station}`;
export const keypadHint = 'Press all keys. Each key appears here.';
export const keys = (count: number) => plural(count, 'key', 'keys');
export const reader = (station: string) => `Reader ${station}`;
export const feedback = (station: string) => `Lights and buzzer ${station}`;
export const patterns = { granted: 'Granted', denied: 'Denied' };
export const playing = 'Playing. Check the lights and the buzzer.';
export const input = (input: string, role: string | null) =>
  role === null || role === input ? `Input ${input}` : `${capitalize(role.replaceAll('_', ' '))} (${input})`;
export const inputHint = 'Open and close the contact. The change appears here.';
export const level = (level: string) => `now ${level}`;
export const changes = (count: number) => `changed ${plural(count, 'time', 'times')}`;
export const output = (output: string, role: string | null) =>
  role === null || role === output ? `Output ${output}` : `${capitalize(role.replaceAll('_', ' '))} (${output})`;
export const yes = 'yes';
export const no = 'no';
export const notMonitored = 'not monitored';
export const powerState = (mains: string, battery: string) => `Mains ${mains}, battery ${battery}`;
export const charging = 'charging';
export const percent = (percent: number) => `${percent} %`;
export const powerHint = 'Unplug the mains for a moment. The controller must keep running.';
export const noteFor = (test: string) => `Note on ${test}`;
export const observed = (what: string) => `Controller: ${what}`;
