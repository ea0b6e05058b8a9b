import { plural } from './plural.ts';

export const heading = 'Tests';
export const intro = 'Try each part and say whether it was right. It goes into the report.';
export const progress = (done: number, all: number) => `${done} of ${all} done`;
export const untested = 'not tested';
export const tried = 'tried, not judged';
export const pass = 'Works';
export const fail = 'Does not';
export const skip = 'Skip';
export const groups = {
  doors: 'Doors and gadgets',
  outputs: 'Relays, lights, buzzers',
  stations: 'Keypads and readers',
  inputs: 'Contacts and buttons',
  power: 'Supply',
  health: 'Network, clock and parts',
};
export const pulse = 'Pulse';
export const pulsed = 'It was on for half a second.';
export const acted = 'Done. Did it move?';
export const rule = (deed: string) => `From the keypad: ${deed}`;
export const selfTest = 'Run the self-test';
export const selfTested = (passed: number, failed: number) =>
  `${plural(passed, 'check', 'checks')} passed, ${failed} failed. It is in the report.`;
export const readCard = 'Read a card';
export const phone = 'A phone was read.';
export const uidOnce = 'Shown here once, and kept nowhere.';
export const keypad = (station: string) => `Keypad ${station}`;
export const keypadHint = 'Press all keys: each shows up here.';
export const keys = (count: number) => plural(count, 'key', 'keys');
export const reader = (station: string) => `Reader ${station}`;
export const feedback = (station: string) => `Lights and buzzer ${station}`;
export const patterns = { granted: 'Granted', denied: 'Denied' };
export const playing = 'It plays now. Seen and heard?';
export const input = (input: string, role: string | null) =>
  role === null || role === input ? `Input ${input}` : `${role.replaceAll('_', ' ')} (${input})`;
export const inputHint = 'Open and close it: it changes here.';
export const level = (level: string) => `now ${level}`;
export const changes = (count: number) => `changed ${plural(count, 'time', 'times')}`;
export const output = (output: string, role: string | null) =>
  role === null || role === output ? `Output ${output}` : `${role.replaceAll('_', ' ')} (${output})`;
export const yes = 'yes';
export const no = 'no';
export const notTold = 'no line of the board tells';
export const powerOf = (mains: string, battery: string) => `Mains ${mains}, battery ${battery}`;
export const charging = 'charging';
export const percent = (percent: number) => `${percent} %`;
export const powerHint = 'Pull the mains plug for a moment: it has to stay awake.';
export const noteFor = (what: string) => `Note on ${what}`;
export const seen = (what: string) => `The controller saw: ${what}`;
