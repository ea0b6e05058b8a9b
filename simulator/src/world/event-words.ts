const methods: Readonly<Record<string, string>> = {
  pin: 'a PIN',
  card: 'a card',
  mobile_nfc: 'a phone',
  bluetooth: 'Bluetooth',
  online: 'the app',
};

const reasons: Readonly<Record<string, string>> = {
  member_deleted: 'no longer a member',
  member_not_started: 'the stay has not begun',
  member_ended: 'the stay is over',
  no_group: 'in no group that is valid now',
  no_matching_rule: 'no rule for this door',
  method_not_allowed: 'not in this way',
  out_of_schedule: 'outside the schedule',
  not_present: 'not here',
  unknown_credential: 'unknown credential',
  no_input_rule: 'no door was chosen',
  locked_out: 'too many wrong entries, the keypad is locked',
  time_untrusted: 'the door does not know the time',
};

const states: Readonly<Record<string, string>> = {
  locked: 'is locked',
  unlocked: 'is unlocked',
  open: 'stands open',
  held_open: 'is held open',
  forced: 'was forced',
};

const signals: Readonly<Record<string, string>> = {
  exit_button: 'was opened from inside by its button',
  pre_alarm: 'stands open for too long, the alarm is near',
  held_open: 'is held open: alarm',
  forced: 'was opened by force: alarm',
  contact_fault: 'does not know whether it is open',
};

/** `event_store: `, ahead of what it means. */
const FAULT_CODE = /^[a-z_]+(?::[\w-]+)?: /;

/** What an event tells, wherever it was seen. */
export interface EventFacts {
  readonly kind: string;
  readonly who: string | null;
  readonly method: string | null;
  readonly reason: string | null;
  /** The door, or else the controller. */
  readonly place: string;
  readonly state: string | null;
  readonly signal: string | null;
  readonly detail: string | null;
}

const by = ({ who, method }: EventFacts): string =>
  [who === null ? '' : ` for ${who}`, method === null ? '' : ` with ${methods[method] ?? method}`].join('');

/** One sentence. */
export const inWords = (facts: EventFacts): string => {
  const { kind, place, reason, state, signal, detail } = facts;
  switch (kind) {
    case 'use':
      return `${place} opened${by(facts)}`;
    case 'deny':
      return `${place} stayed closed${by(facts)}: ${reasons[reason ?? ''] ?? reason ?? 'refused'}`;
    case 'state':
      return `${place} ${states[state ?? ''] ?? `is ${state ?? 'unknown'}`}`;
    case 'signal':
      return `${place} ${signals[signal ?? ''] ?? `says ${signal ?? 'something'}`}`;
    case 'gap':
      return `${place} could not keep some events`;
    case 'online':
      return `${place} is online`;
    case 'offline':
      return `${place} is offline`;
    case 'fault':
      return `${place}: ${detail?.replace(FAULT_CODE, '') ?? 'a fault'}`;
    default:
      return `${place}: ${detail ?? kind.replaceAll('_', ' ')}`;
  }
};
