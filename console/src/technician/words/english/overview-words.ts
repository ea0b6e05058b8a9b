import { plural } from './plural.ts';

export const allWell = 'Everything is as it should be';
export const look = (count: number) => `${plural(count, 'thing needs', 'things need')} a look`;
export const broken = (count: number) => `${plural(count, 'thing does', 'things do')} not work`;
export const unchecked = 'Not checked yet';
export const fineChecks = (count: number) => `${plural(count, 'check', 'checks')} fine`;
export const state = { ok: 'fine', warn: 'look', fail: 'not working', unknown: 'unknown' };
export const next = 'This visit';
export const steps = {
  profile: 'Choose what is built in',
  claim: 'Claim the controller',
  claimWaiting: 'Claim: waits for a line',
  rules: 'Set the input rules',
  rulesDone: (count: number) =>
    count === 0 ? 'No input rules: the first gadget' : plural(count, 'input rule', 'input rules'),
  trying: 'Prove a rule at the keypad',
  tests: 'Test the parts',
  testsDone: (done: number, all: number) => `${done} of ${all} parts tested`,
  report: 'Hand over with a report',
};
export const gadgets = 'Doors and gadgets';
export const noGadgets = 'None yet: they come with the claim.';
export const facts = 'Facts';
export const site = 'Site';
export const bridge = 'Bridge';
export const online = 'connected';
export const gatewayOnly = 'the gateway answers, the bridge does not';
export const offline = 'no line; doors work on';
export const data = 'Access data';
export const noData = 'none received yet';
export const dataAge = (age: string) => `${age} old`;
export const events = 'Events waiting';
export const time = 'Time';
export const trusted = (source: string) => `trusted (${source})`;
export const untrusted = 'not trusted: time-limited access is refused';
export const firmware = 'Firmware';
export const uptime = 'Running for';
export const keys = 'PIN key kept in';
export const keptIn = { hardware: 'hardware', file: 'a file: a stolen card reveals PINs' };
export const bundle = 'Support file';
export const bundleHint = 'For whoever helps you. No PIN, card, code or name is in it.';
