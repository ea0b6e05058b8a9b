import { capitalize } from '../../../components/texts/capitalize.ts';
import { formatCount } from '../../../components/texts/format-count.ts';

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

const signals: Readonly<Record<string, string>> = {
  key_taken: 'key accepted',
  rule_armed: 'rule selected',
};

export const liveHeading = 'Live';
export const liveIntroText = 'Shows events as they happen. Digits and card numbers are masked.';
export const noEventsYetText = 'No events yet. Press a key or present a card.';
export const pauseButton = 'Pause';
export const resumeLiveLogButton = 'Resume';
export const missedEventCountText = (count: number) => `${count} new since you paused`;
export const liveFilterLegend = 'Show';
export const liveFilterNames = { decisions: 'Access', io: 'Inputs and outputs', all: 'All' };
export const foldedEventCountText = (count: number) =>
  formatCount(count, 'key, input or output', 'keys, inputs and outputs');
export const memberLabel = (id: string) => `Member …${id.slice(-4)}`;
export const memberLinkHint = 'Name in the console';
export const keyPressedText = (station: string, key: string) => `Key ${key} at ${station}`;
export const cardPresentedText = (station: string, card: string) => `Card ${card} at ${station}`;
export const readerUnitIdleText = (station: string) => `${station}: idle`;
export const enteringCodeText = (station: string) => `${station}: entering a code`;
export const inputRuleSelectedAtStationText = (station: string, action: string) =>
  `${station}: ${action} selected, waiting for a PIN or card`;
export const firstGadgetNameText = 'first gadget';
export const feedbackSignaledText = (station: string, kind: string) =>
  `Lights and buzzer of ${station}: ${signals[kind] ?? kind.replaceAll('_', ' ')}`;
export const technicianAwaitsCardText = (station: string | null) =>
  station === null ? 'A technician waits for a card at any reader' : `A technician waits for a card at ${station}`;
export const inputChangedText = (input: string, level: string) => `Input ${input} ${level}`;
export const outputSwitchedOnText = (output: string, ms: number | null) =>
  `Output ${output} on${ms === null ? '' : ` for ${ms / 1000} s`}`;
export const outputSwitchedOffText = (output: string) => `Output ${output} off`;
export const credentialCheckResultText = (action: string, isGranted: boolean) =>
  `Try: ${action} would be ${isGranted ? 'granted' : 'denied'}`;
export const inputRulesChangedText = 'Input rules changed';
export const inputRulesChangedOnTrialText = 'Input rules changed on trial';
export const accessGrantedText = (action: string) => `Granted: ${action}`;
export const accessDeniedText = (action: string) => `Denied: ${action}`;
export const denialReasonText = (reason: string) => reasons[reason] ?? capitalize(reason.replaceAll('_', ' '));
export const gadgetStateText = (gadget: string, state: string) => `${gadget} is ${state}`;
export const gadgetSignalText = (gadget: string, signal: string) => `${gadget}: ${signal}`;
export const faultReportedText = (what: string) => `Fault: ${what}`;
export const eventsWereLostText = 'Events were lost';
const eventTitles: Readonly<Record<string, string>> = {
  commissioning_made: 'Temporary PIN or card created',
  commissioning_ended: 'Temporary PIN or card ended',
};
export const otherEventText = (kind: string) => eventTitles[kind] ?? capitalize(kind.replaceAll('_', ' '));
export const unknownGadgetNameText = 'unknown gadget';
export const accessMethodNames = {
  pin: 'PIN',
  card: 'card',
  mobile_nfc: 'phone',
  bluetooth: 'phone over Bluetooth',
  online: 'online',
  technician: 'technician',
} as Readonly<Record<string, string>>;
export const gadgetActionText = (gadget: string, action: string) => `${gadget}, ${action}`;
