import { permissionDenialReasons } from '@lintel/access-core/access-data-types';
import type { InputRule } from '@lintel/access-core/input-rules';
import { toInstant } from '@lintel/wire-protocol/schema-parts/date-time';
import type { TechnicianEventResponse } from '@lintel/wire-protocol/technician/live-message';
import { formatTerminalDecision } from '../terminal/format-event.ts';
import type { ParsedSupportBundle } from './read-support-bundle.ts';
import { ReplayedController } from './replay-controller.ts';
import { PlaceholderCredentials, UNASSIGNED_CARD_UID, UNASSIGNED_PIN } from './placeholder-credentials.ts';
import { createSupportBundleGadgetNameLookup } from './support-bundle-timeline.ts';

export interface ReplayedDecision {
  readonly at: string;
  /** The input at the door, as far as it is known. */
  readonly input: string;
  readonly decided: string;
  readonly now: string;
  readonly verdict: 'same' | 'different' | 'unknown';
}

/** Denial reasons that depend on permissions or on clock trust. A bundle contains neither. */
const permissionReasons: ReadonlySet<string> = new Set(permissionDenialReasons);

const isDeniedByPermission = ({ reason }: TechnicianEventResponse): boolean => permissionReasons.has(reason ?? '');

/** The decision without its reason. */
const withoutReason = (decision: string): string => decision.split(':')[0]!;

const openStates = new Set(['open', 'held_open', 'forced']);

const noDecision = 'no decision';

/** Repeats the inputs that led to the events of a bundle. */
class Replay {
  readonly #door: ReplayedController;
  readonly #credentials: PlaceholderCredentials;
  readonly #nameOf: (id: string) => string;

  constructor(door: ReplayedController, credentials: PlaceholderCredentials, nameOf: (id: string) => string) {
    this.#door = door;
    this.#credentials = credentials;
    this.#nameOf = nameOf;
  }

  #ruleFor({ gadget_id, gadget_action_id }: TechnicianEventResponse): Pick<InputRule, 'code'> | null {
    const { rules } = this.#door;
    if (rules.length === 0) return { code: '' };
    return rules.find(rule => rule.gadget_id === gadget_id && rule.action_id === gadget_action_id) ?? null;
  }

  /** Repeats the input of an event and describes it. Null for an event without an input. */
  #repeat(event: TechnicianEventResponse): string | null {
    const { kind, subject, reason, gadget_id, gadget_action_id } = event;
    const method = subject?.access_method;
    if (reason === 'locked_out' || event.gadget_trigger_id != null) return null;
    if (reason === 'no_input_rule') {
      this.#door.tap(UNASSIGNED_CARD_UID);
      return 'a card without a code';
    }
    if (method !== 'pin' && method !== 'card') {
      if (kind !== 'use' || gadget_id == null || gadget_action_id == null) return null;
      this.#door.execute(gadget_id, gadget_action_id);
      return 'remote action';
    }
    const rule = this.#ruleFor(event);
    if (rule === null) return null;
    const codePrefix = rule.code === '' ? '' : `code ${rule.code}, then `;
    if (method === 'pin') {
      const pin = this.#credentials.pin(event, isDeniedByPermission(event));
      this.#door.type(`${rule.code}${pin}#`);
      return `${codePrefix}${pin === UNASSIGNED_PIN ? 'a wrong PIN' : 'a PIN'}`;
    }
    const card = this.#credentials.card(event, isDeniedByPermission(event));
    this.#door.type(rule.code);
    this.#door.tap(card);
    return `${codePrefix}${card === UNASSIGNED_CARD_UID ? 'an unknown card' : 'a card'}`;
  }

  /** Moves the door leaf or presses the exit button, which alarms and relocks depend on. */
  #moveDoor({ kind, gadget_id, gadget_state_id, gadget_signal_id }: TechnicianEventResponse): void {
    const name = this.#nameOf(gadget_id ?? '');
    if (kind === 'signal' && gadget_signal_id === 'exit_button') this.#door.pressExit(name);
    if (kind === 'state' && gadget_state_id != null) this.#door.moveLeaf(name, openStates.has(gadget_state_id));
  }

  play(event: TechnicianEventResponse): ReplayedDecision | null {
    this.#door.passUntil(toInstant(event.occurred_at));
    const decided = formatTerminalDecision(event, this.#nameOf);
    const { length } = this.#door.recorded;
    if (decided === null) {
      this.#moveDoor(event);
      return null;
    }
    const input = this.#repeat(event);
    // A lockout is recorded together with the entry before it.
    const since = event.reason === 'locked_out' ? Math.max(0, length - 2) : length;
    const decisions = this.#door.recorded
      .slice(since)
      .flatMap(recorded => formatTerminalDecision(recorded, this.#nameOf) ?? []);
    const now = decisions.find(text => text === decided) ?? decisions[0] ?? noDecision;
    return this.#compare(event, input, decided, now);
  }

  #compare(event: TechnicianEventResponse, input: string | null, decided: string, now: string): ReplayedDecision {
    const at = event.occurred_at;
    const { access_method } = event.subject ?? {};
    if (input === null && event.reason !== 'locked_out') {
      const isLocal = access_method === 'pin' || access_method === 'card';
      const explanation = isLocal ? 'no rule in the bundle selects this door' : 'the cause is not in the bundle';
      return { at, input: 'unknown', decided, now: explanation, verdict: isLocal ? 'different' : 'unknown' };
    }
    if (isDeniedByPermission(event)) {
      const isSameDoor = withoutReason(now) === withoutReason(decided);
      const text = isSameDoor ? 'same door; the permissions of the member are not in the bundle' : now;
      return { at, input: input ?? 'unknown', decided, now: text, verdict: isSameDoor ? 'unknown' : 'different' };
    }
    const isRemoteAction = access_method !== 'pin' && access_method !== 'card' && event.kind === 'use';
    const isSame = now === decided || (isRemoteAction && now.startsWith('GRANTED'));
    return {
      at,
      input: input ?? 'the previous entries',
      decided,
      now: isSame ? decided : now,
      verdict: isSame ? 'same' : 'different',
    };
  }
}

/** Null when the current firmware does not support the profile in the bundle. */
export const replaySupportBundle = async (read: ParsedSupportBundle): Promise<readonly ReplayedDecision[] | null> => {
  const credentials = new PlaceholderCredentials(read.events);
  const door = await ReplayedController.open(read, credentials);
  if (door === null) return null;
  try {
    const replay = new Replay(door, credentials, createSupportBundleGadgetNameLookup(read));
    return read.events.flatMap(event => replay.play(event) ?? []);
  } finally {
    await door.close();
  }
};
