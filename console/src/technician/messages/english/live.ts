import { capitalize } from '../capitalize.ts';

const reasons: Readonly<Record<string, string>> = {
  member_deleted: 'Member deleted',
  member_not_started: 'Access has not started yet',
  member_ended: 'Access has ended',
  no_group: 'No active group',
  no_matching_rule: 'No access to this door',
  method_not_allowed: 'Credential type not allowed',
  out_of_schedule: 'Outside the schedule',
  not_present: 'Not on site',
  unknown_credential: 'Unknown PIN or card',
  no_input_rule: 'No matching input rule',
  locked_out: 'Locked out after too many wrong PINs',
  time_untrusted: 'Clock not trusted',
};

const signals: Readonly<Record<string, string>> = { key_taken: 'key accepted', rule_armed: 'rule selected' };

export const heading = 'Live';
export const intro = 'Shows events as they happen. Digits and card numbers are masked.';
export const empty = 'No events yet. Press a key or present a card.';
export const pause = 'Pause';
export const resume = 'Resume';
export const missed = (count: number) => `${count} new since you paused`;
export const filterLegend = 'Show';
export const filters = { all: 'All', decisions: 'Access', io: 'Inputs and outputs' };
export const key = (station: string, key: string) => `Key ${key} at ${station}`;
export const card = (station: string, card: string) => `Card ${card} at ${station}`;
export const idle = (station: string) => `${station}: idle`;
export const code = (station: string) => `${station}: entering a code`;
export const selected = (station: string, action: string) =>
  `${station}: ${action} selected, waiting for a PIN or card`;
export const firstGadget = 'first gadget';
export const feedback = (station: string, kind: string) =>
  `${station} signals: ${signals[kind] ?? kind.replaceAll('_', ' ')}`;
export const awaitingCard = (station: string | null) =>
  station === null ? 'A technician waits for a card at any reader' : `A technician waits for a card at ${station}`;
export const input = (input: string, level: string) => `Input ${input} ${level}`;
export const outputOn = (output: string, ms: number | null) =>
  `Output ${output} on${ms === null ? '' : ` for ${ms / 1000} s`}`;
export const outputOff = (output: string) => `Output ${output} off`;
export const checked = (action: string, isGranted: boolean) =>
  `Try: ${action} would be ${isGranted ? 'granted' : 'denied'}`;
export const rules = 'Input rules changed';
export const rulesTrial = 'Input rules changed on trial';
export const granted = (action: string) => `Granted: ${action}`;
export const denied = (action: string) => `Denied: ${action}`;
export const reason = (reason: string) => reasons[reason] ?? capitalize(reason.replaceAll('_', ' '));
export const state = (gadget: string, state: string) => `${gadget} is ${state}`;
export const signal = (gadget: string, signal: string) => `${gadget}: ${signal}`;
export const fault = (what: string) => `Fault: ${what}`;
export const gap = 'Events were lost';
export const other = (kind: string) => capitalize(kind.replaceAll('_', ' '));
export const unknownGadget = 'unknown gadget';
export const method = {
  pin: 'PIN',
  card: 'card',
  nfc: 'phone',
  online: 'online',
  technician: 'technician',
} as Readonly<Record<string, string>>;
export const action = (gadget: string, action: string) => `${gadget}, ${action}`;
