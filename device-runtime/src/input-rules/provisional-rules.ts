import type { InputRule } from '@lintel/access-core/input-rules';
import type { MonotonicTime } from '@lintel/access-core/monotonic';
import type { RulesMessage } from '@lintel/wire-protocol/mqtt/messages/rules';
import {
  applyRulesResponse,
  applyRulesEdit,
  findNewestEdit,
  type LocalRulesState,
  type RulesConflict,
  type RulesEdit,
  effectiveInputRules,
  type SnapshotInputRules,
  applySnapshotRules,
} from './local-rules-state.ts';
import type { Technician } from '../events/technician-record.ts';

/** An edit that applies until it is confirmed or expires. */
export interface ProvisionalEdit {
  readonly edit: RulesEdit;
  readonly by: Technician;
  readonly revertsAt: MonotonicTime;
}

/**
 * A provisional edit is separate from the lasting state, so that a revert only drops it. A restart restores the lasting
 * state only, and so reverts, too.
 */
export interface RulesWithProvisionalEdit {
  readonly lasting: LocalRulesState;
  readonly provisional: ProvisionalEdit | null;
}

/** Null when the rules of the snapshot apply. */
export const effectiveRulesWithProvisionalEdit = ({
  lasting,
  provisional,
}: RulesWithProvisionalEdit): readonly InputRule[] | null =>
  provisional?.edit.input_rules ?? effectiveInputRules(lasting);

/** Keeps the base of the previous local edit: its author has not seen later changes of the bridge. */
const withBaseOfPrevious = ({ lasting, provisional }: RulesWithProvisionalEdit, made: RulesEdit): RulesEdit => {
  const below = provisional?.edit ?? findNewestEdit(lasting);
  return below === null ? made : { ...made, base_revision: below.base_revision };
};

export const applyProvisionalEdit = (
  rules: RulesWithProvisionalEdit,
  edit: ProvisionalEdit,
): RulesWithProvisionalEdit => ({
  lasting: rules.lasting,
  provisional: { ...edit, edit: withBaseOfPrevious(rules, edit.edit) },
});

export const applyLastingEdit = (rules: RulesWithProvisionalEdit, made: RulesEdit): RulesWithProvisionalEdit => ({
  lasting: applyRulesEdit(rules.lasting, withBaseOfPrevious(rules, made)),
  provisional: null,
});

export const confirmProvisionalEdit = (rules: RulesWithProvisionalEdit): RulesWithProvisionalEdit =>
  rules.provisional === null ? rules : applyLastingEdit(rules, rules.provisional.edit);

export const revertProvisionalEdit = (rules: RulesWithProvisionalEdit): RulesWithProvisionalEdit =>
  rules.provisional === null ? rules : { lasting: rules.lasting, provisional: null };

export const isProvisionalEditExpired = ({ provisional }: RulesWithProvisionalEdit, now: MonotonicTime): boolean =>
  provisional !== null && now >= provisional.revertsAt;

/**
 * Applies the response to an earlier edit. If it was accepted or rejected, the base of the provisional edit now has this
 * revision. If it was superseded, the bridge has changes that the author has not seen.
 */
export const applyResponseWithProvisionalEdit = (
  rules: RulesWithProvisionalEdit,
  answer: RulesMessage,
  at: RulesConflict['at'],
): RulesWithProvisionalEdit => {
  const lasting = applyRulesResponse(rules.lasting, answer, at);
  if (lasting === rules.lasting) return rules;
  const { provisional } = rules;
  if (provisional === null || answer.outcome === 'superseded') return { lasting, provisional };
  return { lasting, provisional: { ...provisional, edit: { ...provisional.edit, base_revision: answer.revision } } };
};

/** A provisional edit ends when the controller is enrolled as another device. */
export const applySnapshotWithProvisionalEdit = (
  rules: RulesWithProvisionalEdit,
  served: SnapshotInputRules,
  at: RulesConflict['at'],
): RulesWithProvisionalEdit => {
  const editedDevice = rules.provisional?.edit.device_id ?? null;
  const provisional = editedDevice === null || editedDevice === served.device_id ? rules.provisional : null;
  return { lasting: applySnapshotRules(rules.lasting, served, at), provisional };
};
