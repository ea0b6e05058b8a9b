import type { InputRule } from '@lintel/access-core/input-rules';
import { instantOf } from '@lintel/wire-protocol/schema-parts/date-time';
import type { TechnicianEvent } from '@lintel/wire-protocol/technician/live';
import { decisionInWords } from '../terminal/happening-words.ts';
import type { ReadBundle } from './bundle.ts';
import { ReplayedDoor } from './replayed-door.ts';
import { StandIns, UNKNOWN_CARD, UNKNOWN_PIN } from './stand-ins.ts';
import { nameIn } from './time-line.ts';

export interface Replayed {
  readonly at: string;
  /** What was done at the door, as far as it can be known. */
  readonly input: string;
  readonly decided: string;
  readonly now: string;
  readonly verdict: 'same' | 'different' | 'unknown';
}

/** Reasons that hang on who may do what and when, and on a clock that was not trusted: a bundle has neither. */
const permissionReasons = new Set([
  'member_deleted',
  'member_not_started',
  'member_ended',
  'no_group',
  'no_matching_rule',
  'method_not_allowed',
  'out_of_schedule',
  'not_present',
  'time_untrusted',
]);

const isDeniedByPermission = ({ reason }: TechnicianEvent): boolean => permissionReasons.has(reason ?? '');

/** What was decided without the reason. */
const beforeReason = (words: string): string => words.split(':')[0]!;

const openStates = new Set(['open', 'held_open', 'forced']);

const nothing = 'nothing is decided';

/** Plays the inputs again that the bundle's events stand for. */
class Replay {
  readonly #door: ReplayedDoor;
  readonly #standIns: StandIns;
  readonly #nameOf: (id: string) => string;

  constructor(door: ReplayedDoor, standIns: StandIns, nameOf: (id: string) => string) {
    this.#door = door;
    this.#standIns = standIns;
    this.#nameOf = nameOf;
  }

  #ruleFor({ gadget_id, gadget_action_id }: TechnicianEvent): Pick<InputRule, 'code'> | null {
    const { rules } = this.#door;
    if (rules.length === 0) return { code: '' };
    return rules.find(rule => rule.gadget_id === gadget_id && rule.action_id === gadget_action_id) ?? null;
  }

  /** In words what was done, or null when no input stands behind the event. */
  #repeat(event: TechnicianEvent): string | null {
    const { kind, subject, reason, gadget_id, gadget_action_id } = event;
    const method = subject?.access_method;
    if (reason === 'locked_out' || event.gadget_trigger_id != null) return null;
    if (reason === 'no_input_rule') {
      this.#door.tap(UNKNOWN_CARD);
      return 'a card with nothing typed before';
    }
    if (method !== 'pin' && method !== 'card') {
      if (kind !== 'use' || gadget_id == null || gadget_action_id == null) return null;
      this.#door.carryOut(gadget_id, gadget_action_id);
      return 'asked for from elsewhere';
    }
    const rule = this.#ruleFor(event);
    if (rule === null) return null;
    const typed = rule.code === '' ? '' : `${rule.code}, then `;
    if (method === 'pin') {
      const pin = this.#standIns.pin(event, isDeniedByPermission(event));
      this.#door.type(`${rule.code}${pin}#`);
      return `${typed}${pin === UNKNOWN_PIN ? 'a wrong PIN' : 'a PIN'}`;
    }
    const card = this.#standIns.card(event, isDeniedByPermission(event));
    this.#door.type(rule.code);
    this.#door.tap(card);
    return `${typed}${card === UNKNOWN_CARD ? 'an unknown card' : 'a card'}`;
  }

  /** The leaf and the exit button, so that alarms and relocks have their reasons. */
  #moveDoor({ kind, gadget_id, gadget_state_id, gadget_signal_id }: TechnicianEvent): void {
    const name = this.#nameOf(gadget_id ?? '');
    if (kind === 'signal' && gadget_signal_id === 'exit_button') this.#door.pressExit(name);
    if (kind === 'state' && gadget_state_id != null) this.#door.moveLeaf(name, openStates.has(gadget_state_id));
  }

  play(event: TechnicianEvent): Replayed | null {
    this.#door.passUntil(instantOf(event.occurred_at));
    const decided = decisionInWords(event, this.#nameOf);
    const { length } = this.#door.recorded;
    if (decided === null) {
      this.#moveDoor(event);
      return null;
    }
    const input = this.#repeat(event);
    // A lockout is decided together with the entry before it.
    const since = event.reason === 'locked_out' ? Math.max(0, length - 2) : length;
    const outcomes = this.#door.recorded.slice(since).flatMap(one => decisionInWords(one, this.#nameOf) ?? []);
    const now = outcomes.find(words => words === decided) ?? outcomes[0] ?? nothing;
    return this.#compare(event, input, decided, now);
  }

  #compare(event: TechnicianEvent, input: string | null, decided: string, now: string): Replayed {
    const at = event.occurred_at;
    const { access_method } = event.subject ?? {};
    if (input === null && event.reason !== 'locked_out') {
      const isTyped = access_method === 'pin' || access_method === 'card';
      const why = isTyped ? 'no rule of the bundle leads there' : 'what caused it is not in the bundle';
      return { at, input: 'unknown', decided, now: why, verdict: isTyped ? 'different' : 'unknown' };
    }
    if (isDeniedByPermission(event)) {
      const isThere = beforeReason(now) === beforeReason(decided);
      const words = isThere ? 'it leads to the same door; whether the member may is not in the bundle' : now;
      return { at, input: input ?? 'unknown', decided, now: words, verdict: isThere ? 'unknown' : 'different' };
    }
    const isCarriedOut = access_method !== 'pin' && access_method !== 'card' && event.kind === 'use';
    const isSame = now === decided || (isCarriedOut && now.startsWith('GRANTED'));
    return {
      at,
      input: input ?? 'the entries before',
      decided,
      now: isSame ? decided : now,
      verdict: isSame ? 'same' : 'different',
    };
  }
}

/** Null when the firmware of now cannot work with the bundle's profile. */
export const replayBundle = async (read: ReadBundle): Promise<readonly Replayed[] | null> => {
  const standIns = new StandIns(read.events);
  const door = await ReplayedDoor.open(read, standIns);
  if (door === null) return null;
  try {
    const replay = new Replay(door, standIns, nameIn(read));
    return read.events.flatMap(event => replay.play(event) ?? []);
  } finally {
    await door.close();
  }
};
