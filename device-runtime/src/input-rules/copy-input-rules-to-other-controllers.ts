import type { DeviceId } from '@lintel/access-core/ids';
import type { InputRule } from '@lintel/access-core/input-rules';
import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { InputRulesCopyResultMqttMessage } from '@lintel/wire-protocol/mqtt/messages/input-rules-copy-result';
import type { CopyInputRulesMqttMessage } from '@lintel/wire-protocol/mqtt/messages/copy-input-rules';
import type { TechnicianInputRulesResponse } from '@lintel/wire-protocol/technician/input-rules';
import type { WallClock } from '../clock/wall-clock-interface.ts';
import type { EventLog } from '../events/event-log.ts';
import {
  describeTechnicianAction,
  toTechnicianEventSubject,
  type ActingTechnician,
} from '../events/acting-technician.ts';
import { haveSameInputRules } from './local-rules-state.ts';

interface RuleCopiesDependencies {
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly wall: WallClock;
  readonly log: EventLog;
  readonly randomBytes: (count: number) => Uint8Array;
  /** The rules of another controller as the bridge has them. */
  readonly rulesAt: (id: DeviceId) => readonly InputRule[] | null;
  readonly onChange: () => void;
}

type CopyReport = TechnicianInputRulesResponse['copies'][number];

interface Copy {
  readonly input_rules: readonly InputRule[];
  readonly previous: readonly InputRule[];
  readonly confirm_within_s: number;
  readonly state: CopyReport['state'];
  readonly revertsAt: MonotonicTime | null;
  readonly reason: string | null;
  readonly message: string | null;
  /** Who brings the previous rules back; null if nobody does. */
  readonly undoneBy: ActingTechnician | null;
}

export type InputRulesCopyTrial = Pick<Copy, 'input_rules' | 'previous' | 'confirm_within_s'>;

const reversed = ({ input_rules, previous, confirm_within_s }: Copy): InputRulesCopyTrial => ({
  input_rules: previous,
  previous: input_rules,
  confirm_within_s,
});

const ID_BYTES = 16;
const newCopy = { state: 'waiting', revertsAt: null, reason: null, message: null, undoneBy: null } as const;
const stateAfter = { try: 'on_trial', confirm: 'kept', revert: 'reverted' } as const;

/**
 * Copies of rules to other controllers of the site. Each runs there on trial, so this controller keeps no record across
 * a restart: the other controller reverts by itself.
 */
export class InputRulesCopies {
  readonly #parts: RuleCopiesDependencies;
  readonly #copies = new Map<DeviceId, Copy>();
  #unanswered: readonly CopyInputRulesMqttMessage[] = [];
  #isOnline = false;
  #onPending: () => void = () => undefined;

  constructor(parts: RuleCopiesDependencies) {
    this.#parts = parts;
  }

  get isOnline(): boolean {
    return this.#isOnline;
  }

  /** Steps without a response are given up, so that a trial does not start when the technician has left. */
  setOnline(isOnline: boolean): void {
    this.#isOnline = isOnline;
    if (isOnline) return;
    const lost = this.#unanswered;
    this.#unanswered = [];
    const message = 'The connection to the bridge was lost. Try again when this controller is online';
    for (const step of lost) this.#finish(step, { outcome: 'refused', seconds_left: null, reason: 'offline', message });
  }

  /** Starts a trial. */
  request(to: DeviceId, copy: InputRulesCopyTrial, by: ActingTechnician): void {
    this.#copies.set(to, { ...copy, ...newCopy });
    this.#send('try', to, copy, by);
    const what = `${copy.input_rules.length} rules to ${to}, on trial`;
    const subject = toTechnicianEventSubject(by);
    this.#parts.log.record({ kind: 'rules_copied', subject, detail: describeTechnicianAction(what, by) });
  }

  /** False when no rules are on trial there. */
  decide(to: DeviceId, step: 'confirm' | 'revert', by: ActingTechnician): boolean {
    const copy = this.#copies.get(to);
    if (copy === undefined || this.#stateOf(to, copy) !== 'on_trial') return false;
    this.#send(step, to, copy, by);
    return true;
  }

  /** Brings the previous rules back and keeps them. False when no copied rules were kept there. */
  undo(to: DeviceId, by: ActingTechnician): boolean {
    const copy = this.#copies.get(to);
    if (copy === undefined || this.#stateOf(to, copy) !== 'kept') return false;
    this.#copies.set(to, { ...copy, ...newCopy, undoneBy: by });
    this.#send('try', to, reversed(copy), by);
    const detail = describeTechnicianAction(`the previous ${copy.previous.length} rules to ${to}`, by);
    this.#parts.log.record({ kind: 'rules_copied', subject: toTechnicianEventSubject(by), detail });
    return true;
  }

  #send(
    step: CopyInputRulesMqttMessage['step'],
    to: DeviceId,
    copy: InputRulesCopyTrial,
    { pass_id, user_id, oauth_application_id = null, proof }: ActingTechnician,
  ): void {
    const { wall, randomBytes } = this.#parts;
    const copy_id = Buffer.from(randomBytes(ID_BYTES)).toString('base64url');
    const { input_rules, previous, confirm_within_s } = copy;
    const target = { to, input_rules, previous, confirm_within_s };
    this.#unanswered = [
      ...this.#unanswered,
      { v: 1, copy_id, step, asked_at: wall.now(), pass_id, user_id, oauth_application_id, ...proof, ...target },
    ];
    this.#parts.onChange();
    this.#onPending();
  }

  #stateOf(to: DeviceId, { state, revertsAt, input_rules }: Copy): CopyReport['state'] {
    const { clock, rulesAt } = this.#parts;
    if (state !== 'on_trial' || revertsAt === null || clock.now() < revertsAt) return state;
    // The trial has ended there. Another technician may have kept the rules.
    return haveSameInputRules(rulesAt(to) ?? [], input_rules) ? 'kept' : 'reverted';
  }

  get reports(): readonly CopyReport[] {
    const now = this.#parts.clock.now();
    return [...this.#copies].map(([device_id, copy]) => {
      const state = this.#stateOf(device_id, copy);
      const isOnTrial = state === 'on_trial' && copy.revertsAt !== null;
      return {
        device_id,
        state,
        input_rules: [...copy.input_rules],
        previous: [...copy.previous],
        seconds_left: isOnTrial ? (copy.revertsAt - now) / 1_000 : null,
        reason: copy.reason,
        message: copy.message,
      };
    });
  }

  /** The step to upload, until its response. */
  pending(): CopyInputRulesMqttMessage | null {
    return this.#unanswered[0] ?? null;
  }

  onPending(listener: () => void): void {
    this.#onPending = listener;
  }

  acknowledged(response: InputRulesCopyResultMqttMessage): void {
    const step = this.#unanswered.find(({ copy_id }) => copy_id === response.copy_id);
    if (step === undefined) return;
    this.#unanswered = this.#unanswered.filter(other => other !== step);
    this.#finish(step, response);
    if (this.#unanswered.length > 0) this.#onPending();
  }

  #finish(
    { step, to }: CopyInputRulesMqttMessage,
    response: Omit<InputRulesCopyResultMqttMessage, 'v' | 'copy_id'>,
  ): void {
    const copy = this.#copies.get(to);
    if (copy === undefined) return;
    const { outcome, reason, message, seconds_left } = response;
    const isDone = outcome === 'done';
    if (copy.undoneBy !== null) return this.#continueUndo(step, to, copy, copy.undoneBy, response);
    const refusedState = step === 'try' ? 'refused' : copy.state;
    const revertsAt =
      isDone && seconds_left !== null
        ? addMilliseconds(this.#parts.clock.now(), Math.max(0, seconds_left * 1_000))
        : copy.revertsAt;
    const state = isDone ? stateAfter[step] : refusedState;
    this.#copies.set(to, { ...copy, state, revertsAt, reason, message });
    this.#parts.onChange();
  }

  /** A trial of the previous rules that is not confirmed ends there with the copied rules. */
  #continueUndo(
    step: CopyInputRulesMqttMessage['step'],
    to: DeviceId,
    copy: Copy,
    by: ActingTechnician,
    { outcome, reason, message }: Pick<InputRulesCopyResultMqttMessage, 'outcome' | 'reason' | 'message'>,
  ): void {
    if (outcome === 'done' && step === 'try') return this.#send('confirm', to, reversed(copy), by);
    const state = outcome === 'done' ? 'reverted' : 'kept';
    this.#copies.set(to, { ...copy, state, undoneBy: null, reason, message });
    this.#parts.onChange();
  }

  /** For a new owner. */
  discard(): void {
    this.#copies.clear();
    this.#unanswered = [];
  }
}
