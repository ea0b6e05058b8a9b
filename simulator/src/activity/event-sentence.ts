const methods: Readonly<Record<string, string>> = {
  pin: 'a PIN',
  card: 'a card',
  mobile_nfc: 'a phone',
  bluetooth: 'Bluetooth',
  online: 'the app',
};

const reasons: Readonly<Record<string, string>> = {
  member_deleted: 'no longer a member',
  member_not_started: 'access has not started yet',
  member_ended: 'access has ended',
  no_group: 'no group is valid now',
  no_matching_rule: 'no access to this door',
  method_not_allowed: 'access method not allowed',
  out_of_schedule: 'outside the schedule',
  not_present: 'not at the site',
  unknown_credential: 'unknown credential',
  no_input_rule: 'no door selected',
  locked_out: 'keypad locked after too many wrong entries',
  time_untrusted: 'the controller does not know the time',
};

const states: Readonly<Record<string, string>> = {
  locked: 'is locked',
  unlocked: 'is unlocked',
  open: 'is open',
  held_open: 'is held open',
  forced: 'was forced open',
};

const signals: Readonly<Record<string, string>> = {
  exit_button: 'was opened with the exit button',
  pre_alarm: 'has been open too long: alarm soon',
  held_open: 'is held open: alarm',
  forced: 'was forced open: alarm',
  contact_fault: 'has a faulty door contact',
};

/** Prefix of a fault message, such as `event_store: `. */
const FAULT_CODE = /^[a-z_]+(?::[\w-]+)?: /;

export interface EventSentenceFacts {
  readonly kind: string;
  readonly who: string | null;
  readonly method: string | null;
  readonly reason: string | null;
  /** Name of the door, or of the controller for an event without a door. */
  readonly place: string;
  readonly state: string | null;
  readonly signal: string | null;
  readonly detail: string | null;
  /** An action of a gadget that is not a door. */
  readonly action?: string | null | undefined;
}

const subjectOf = ({ who, method }: EventSentenceFacts, preposition: 'for' | 'to'): string =>
  [who === null ? '' : ` ${preposition} ${who}`, method === null ? '' : ` with ${methods[method] ?? method}`].join('');

const reasonOf = ({ reason, method }: EventSentenceFacts): string => {
  if (reason === 'not_present' && method === 'bluetooth') return 'too far from the door';
  return reasons[reason ?? ''] ?? reason ?? 'no reason given';
};

/** Describes an event in one sentence. */
export const formatEventSentence = (facts: EventSentenceFacts): string => {
  const { kind, place, state, signal, detail } = facts;
  switch (kind) {
    case 'use':
      return `${place} ${facts.action == null ? 'opened' : `performed ${facts.action}`}${subjectOf(facts, 'for')}`;
    case 'deny':
      return `${place} denied access${subjectOf(facts, 'to')}: ${reasonOf(facts)}`;
    case 'state':
      return `${place} ${states[state ?? ''] ?? `is ${state ?? 'unknown'}`}`;
    case 'signal':
      return `${place} ${signals[signal ?? ''] ?? `reports ${signal ?? 'an unknown signal'}`}`;
    case 'gap':
      return `${place} lost some events`;
    case 'online':
      return `${place} is online`;
    case 'offline':
      return `${place} is offline`;
    case 'fault':
      return `${place}: ${detail?.replace(FAULT_CODE, '') ?? 'unknown fault'}`;
    default:
      return `${place}: ${detail ?? kind.replaceAll('_', ' ')}`;
  }
};
