const reasons: Readonly<Record<string, string>> = {
  member_deleted: 'the person was deleted',
  member_not_started: 'too early: the access has not begun',
  member_ended: 'the access has ended',
  no_group: 'the person is in no group now',
  no_matching_rule: 'no permission for this door',
  method_not_allowed: 'not with this kind of credential',
  out_of_schedule: 'outside the hours',
  not_present: 'not on site',
  unknown_credential: 'nobody’s PIN or card',
  no_input_rule: 'no rule for what was typed',
  locked_out: 'locked after too many wrong entries',
  time_untrusted: 'the time is not trusted',
};

export const heading = 'Live';
export const intro = 'Everything as it happens. Digits and cards are masked.';
export const empty = 'Nothing yet. Press a key or hold a card to the reader.';
export const pause = 'Pause';
export const goOn = 'Go on';
export const paused = (count: number) => `${count} more happened meanwhile`;
export const filterLegend = 'Show';
export const filters = { all: 'Everything', decisions: 'Decisions', lines: 'Inputs and relays' };
export const key = (station: string, key: string) => `Key ${key} at ${station}`;
export const card = (station: string, card: string) => `Card ${card} at ${station}`;
export const idle = (station: string) => `${station} is idle again`;
export const code = (station: string) => `${station}: part of a code`;
export const armed = (station: string, deed: string) => `${station}: ${deed} is selected, waits for a PIN or a card`;
export const firstGadget = 'the first gadget';
export const feedback = (station: string, kind: string) => `${station} answers: ${kind.replaceAll('_', ' ')}`;
export const input = (input: string, level: string) => `Input ${input} ${level}`;
export const outputOn = (output: string, ms: number | null) =>
  `Output ${output} on${ms === null ? '' : ` for ${ms / 1000} s`}`;
export const outputOff = (output: string) => `Output ${output} off`;
export const tried = (deed: string, isGranted: boolean) =>
  `Tried: ${deed} would be ${isGranted ? 'granted' : 'denied'}`;
export const rules = 'Other input rules are in force';
export const rulesTrial = 'Other input rules are in force, until kept or gone back';
export const granted = (deed: string) => `Granted: ${deed}`;
export const denied = (deed: string) => `Denied: ${deed}`;
export const because = (reason: string) => reasons[reason] ?? reason.replaceAll('_', ' ');
export const state = (gadget: string, state: string) => `${gadget} is ${state}`;
export const signal = (gadget: string, signal: string) => `${gadget}: ${signal}`;
export const fault = (what: string) => `Fault: ${what}`;
export const gap = 'Events were lost';
export const other = (kind: string) => kind.replaceAll('_', ' ');
export const unknownGadget = 'another gadget';
export const by = { pin: 'PIN', card: 'card', nfc: 'phone', online: 'online', technician: 'technician' } as Readonly<
  Record<string, string>
>;
export const deed = (gadget: string, action: string) => `${gadget}, ${action}`;
