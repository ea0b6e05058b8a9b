import { plural } from './plural.ts';

export const healthy = 'No issues found';
export const warnings = (count: number) => `${plural(count, 'issue needs', 'issues need')} attention`;
export const failures = (count: number) => plural(count, 'fault', 'faults');
export const unchecked = 'Checking…';
export const passedChecks = (count: number) => `${plural(count, 'check', 'checks')} passed`;
export const state = { ok: 'ok', warn: 'warning', fail: 'fault', unknown: 'unknown' };
export const stepsHeading = 'Installation steps';
export const steps = {
  profile: 'Choose the hardware profile',
  claim: 'Claim the controller',
  claimPending: 'Claim pending: waiting for the bridge',
  rules: 'Set the input rules',
  rulesDone: (count: number) => plural(count, 'input rule', 'input rules'),
  ruleTest: 'Test a rule at the keypad',
  tests: 'Test the hardware',
  testsDone: (done: number, all: number) => `${done} of ${all} tests done`,
  report: 'Print the installation report',
};
export const gadgets = 'Doors and gadgets';
export const noGadgets = 'None yet. They are added when the controller is claimed.';
export const details = 'Details';
export const site = 'Site';
export const bridge = 'Bridge';
export const online = 'Connected';
export const gatewayOnly = 'Gateway connected, bridge not reachable';
export const offline = 'Offline. Doors keep working';
export const data = 'Access data';
export const noData = 'Not received yet';
export const dataAge = (age: string) => `${age} old`;
export const events = 'Events waiting';
export const time = 'Clock';
export const trusted = (source: string) => `trusted (${source})`;
export const untrusted = 'not trusted: time-limited access is denied';
export const firmware = 'Firmware';
export const uptime = 'Uptime';
export const keyStorage = 'PIN hash key';
export const keyStoredIn = {
  hardware: 'stored in hardware',
  file: 'stored in a file: a stolen SD card reveals PINs',
};
export const bundle = 'Download the support file';
export const bundleHint = 'For support. Contains no PINs, cards, codes or names.';
