import type { TechnicianInputRulesResponse } from '@lintel/wire-protocol/technician/input-rules';

export type SavedInputRule = TechnicianInputRulesResponse['input_rules'][number];
export type InputRuleDestination = TechnicianInputRulesResponse['destinations'][number];

/** A rule in the editor. An id that is not chosen yet is empty. */
export interface DraftInputRule {
  /** Identifies the rule while it is edited. */
  readonly key: number;
  readonly code: string;
  readonly gadget_id: string;
  readonly action_id: string;
}

export const toSavedInputRule = ({ code, gadget_id, action_id }: DraftInputRule | SavedInputRule): SavedInputRule =>
  ({ code, gadget_id, action_id }) as SavedInputRule;

export const toDraftInputRules = (rules: readonly SavedInputRule[]): readonly DraftInputRule[] =>
  rules.map(({ code, gadget_id, action_id }, index) => ({ key: index + 1, code, gadget_id, action_id }));

const identityOf = ({ code, gadget_id, action_id }: DraftInputRule | SavedInputRule): string =>
  JSON.stringify([code, gadget_id, action_id]);

export const isSameInputRule = (
  one: DraftInputRule | SavedInputRule,
  other: DraftInputRule | SavedInputRule,
): boolean => identityOf(one) === identityOf(other);

/** Ignores the order, which has no meaning at the keypad. */
export const areSameInputRules = (
  some: readonly (DraftInputRule | SavedInputRule)[],
  others: readonly (DraftInputRule | SavedInputRule)[],
): boolean =>
  some.length === others.length &&
  JSON.stringify(some.map(identityOf).sort()) === JSON.stringify(others.map(identityOf).sort());
