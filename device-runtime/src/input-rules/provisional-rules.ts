import type { InputRule } from '@lintel/access-core/input-rules';
import type { Monotonic } from '@lintel/access-core/monotonic';
import type { Rules } from '@lintel/wire-protocol/mqtt/messages/rules';
import {
  answered,
  edited,
  newestEdit,
  type LocalRulesState,
  type RulesConflict,
  type RulesEdit,
  rulesInForce,
  type ServedRules,
  snapshotChanged,
} from './local-rules-state.ts';
import type { Technician } from '../events/technician-record.ts';

/** An edit that holds until it is confirmed or its time is over. */
export interface ProvisionalEdit {
  readonly made: RulesEdit;
  readonly by: Technician;
  readonly reverts: Monotonic;
}

/**
 * The rules at a door. What is provisional is beside what lasts and never part of it, so that going back is forgetting,
 * and a restart, which knows only what lasts, goes back too.
 */
export interface DoorRules {
  readonly lasting: LocalRulesState;
  readonly provisional: ProvisionalEdit | null;
}

/** Null when the slice's rules hold. */
export const inForce = ({ lasting, provisional }: DoorRules): readonly InputRule[] | null =>
  provisional?.made.input_rules ?? rulesInForce(lasting);

/** Whoever edits on top of an edit has seen that, and not what the desk has done since: it lies below. */
const onTopOf = ({ lasting, provisional }: DoorRules, made: RulesEdit): RulesEdit => {
  const below = provisional?.made ?? newestEdit(lasting);
  return below === null ? made : { ...made, base_revision: below.base_revision };
};

export const editedForNow = (rules: DoorRules, edit: ProvisionalEdit): DoorRules => ({
  lasting: rules.lasting,
  provisional: { ...edit, made: onTopOf(rules, edit.made) },
});

export const editedForGood = (rules: DoorRules, made: RulesEdit): DoorRules => ({
  lasting: edited(rules.lasting, onTopOf(rules, made)),
  provisional: null,
});

export const confirmed = (rules: DoorRules): DoorRules =>
  rules.provisional === null ? rules : editedForGood(rules, rules.provisional.made);

export const reverted = (rules: DoorRules): DoorRules =>
  rules.provisional === null ? rules : { lasting: rules.lasting, provisional: null };

export const isOver = ({ provisional }: DoorRules, now: Monotonic): boolean =>
  provisional !== null && now >= provisional.reverts;

/**
 * The bridge's word on an earlier edit. Accepted or refused, it was on what the provisional one was made on, which now
 * has this revision; superseded, the desk has changed something that its maker has not seen.
 */
export const answeredBelow = (rules: DoorRules, answer: Rules, at: RulesConflict['at']): DoorRules => {
  const lasting = answered(rules.lasting, answer, at);
  if (lasting === rules.lasting) return rules;
  const { provisional } = rules;
  if (provisional === null || answer.outcome === 'superseded') return { lasting, provisional };
  return { lasting, provisional: { ...provisional, made: { ...provisional.made, base_revision: answer.revision } } };
};

/** A new snapshot. A provisional edit of a device that the controller no longer is ends with it. */
export const snapshotChangedBelow = (rules: DoorRules, served: ServedRules, at: RulesConflict['at']): DoorRules => {
  const maker = rules.provisional?.made.device_id ?? null;
  const provisional = maker === null || maker === served.device_id ? rules.provisional : null;
  return { lasting: snapshotChanged(rules.lasting, served, at), provisional };
};
