import type { InputRule } from '@lintel/access-core/input-rules';
import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { InputRulesEditResultMqttMessage } from '@lintel/wire-protocol/mqtt/messages/input-rules-edit-result';
import {
  applyInputRulesResponse,
  applyInputRulesEdit,
  findNewestInputRulesEdit,
  type LocalInputRulesState,
  type InputRulesConflict,
  type InputRulesEdit,
  selectEffectiveInputRules,
  type SnapshotInputRules,
  applySnapshotInputRules,
} from './local-rules-state.ts';
import type { ActingTechnician } from '../events/acting-technician.ts';

/** An edit that applies until it is confirmed or expires. */
export interface ProvisionalInputRulesEdit {
  readonly edit: InputRulesEdit;
  readonly by: ActingTechnician;
  readonly revertsAt: MonotonicTime;
}

/**
 * A provisional edit is separate from the lasting state, so that a revert only drops it. A restart restores the lasting
 * state only, and so reverts, too.
 */
export interface InputRulesWithProvisionalEdit {
  readonly lasting: LocalInputRulesState;
  readonly provisional: ProvisionalInputRulesEdit | null;
}

/** Null when the rules of the snapshot apply. */
export const selectEffectiveInputRulesWithProvisionalEdit = ({
  lasting,
  provisional,
}: InputRulesWithProvisionalEdit): readonly InputRule[] | null =>
  provisional?.edit.input_rules ?? selectEffectiveInputRules(lasting);

/** Keeps the base of the previous local edit: its author has not seen later changes of the bridge. */
const withBaseOfPrevious = (
  { lasting, provisional }: InputRulesWithProvisionalEdit,
  made: InputRulesEdit,
): InputRulesEdit => {
  const below = provisional?.edit ?? findNewestInputRulesEdit(lasting);
  return below === null ? made : { ...made, base_revision: below.base_revision };
};

export const applyProvisionalInputRulesEdit = (
  rules: InputRulesWithProvisionalEdit,
  edit: ProvisionalInputRulesEdit,
): InputRulesWithProvisionalEdit => ({
  lasting: rules.lasting,
  provisional: { ...edit, edit: withBaseOfPrevious(rules, edit.edit) },
});

export const applyPermanentInputRulesEdit = (
  rules: InputRulesWithProvisionalEdit,
  made: InputRulesEdit,
): InputRulesWithProvisionalEdit => ({
  lasting: applyInputRulesEdit(rules.lasting, withBaseOfPrevious(rules, made)),
  provisional: null,
});

export const confirmProvisionalInputRulesEdit = (
  rules: InputRulesWithProvisionalEdit,
): InputRulesWithProvisionalEdit =>
  rules.provisional === null ? rules : applyPermanentInputRulesEdit(rules, rules.provisional.edit);

export const revertProvisionalInputRulesEdit = (rules: InputRulesWithProvisionalEdit): InputRulesWithProvisionalEdit =>
  rules.provisional === null ? rules : { lasting: rules.lasting, provisional: null };

export const isProvisionalInputRulesEditExpired = (
  { provisional }: InputRulesWithProvisionalEdit,
  now: MonotonicTime,
): boolean => provisional !== null && now >= provisional.revertsAt;

/**
 * Applies the response to an earlier edit. If it was accepted or rejected, the base of the provisional edit now has this
 * revision. If it was superseded, the bridge has changes that the author has not seen.
 */
export const applyInputRulesEditResultWithProvisionalEdit = (
  rules: InputRulesWithProvisionalEdit,
  answer: InputRulesEditResultMqttMessage,
  at: InputRulesConflict['at'],
): InputRulesWithProvisionalEdit => {
  const lasting = applyInputRulesResponse(rules.lasting, answer, at);
  if (lasting === rules.lasting) return rules;
  const { provisional } = rules;
  if (provisional === null || answer.outcome === 'superseded') return { lasting, provisional };
  return { lasting, provisional: { ...provisional, edit: { ...provisional.edit, base_revision: answer.revision } } };
};

/** A provisional edit ends when the controller is enrolled as another device. */
export const applySnapshotInputRulesWithProvisionalEdit = (
  rules: InputRulesWithProvisionalEdit,
  served: SnapshotInputRules,
  at: InputRulesConflict['at'],
): InputRulesWithProvisionalEdit => {
  const editedDevice = rules.provisional?.edit.device_id ?? null;
  const provisional = editedDevice === null || editedDevice === served.device_id ? rules.provisional : null;
  return { lasting: applySnapshotInputRules(rules.lasting, served, at), provisional };
};
