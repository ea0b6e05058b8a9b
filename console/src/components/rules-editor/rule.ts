import type { TechnicianRules } from '@lintel/wire-protocol/technician/input-rules';

export type SavedRule = TechnicianRules['input_rules'][number];
export type RuleDestination = TechnicianRules['destinations'][number];

/** A rule in the editor. An id that is not chosen yet is empty. */
export interface DraftRule {
  /** Identifies the rule while it is edited. */
  readonly key: number;
  readonly code: string;
  readonly gadget_id: string;
  readonly action_id: string;
}

export const toSavedRule = ({ code, gadget_id, action_id }: DraftRule | SavedRule): SavedRule =>
  ({ code, gadget_id, action_id }) as SavedRule;

export const toDraftRules = (rules: readonly SavedRule[], firstKey = 1): readonly DraftRule[] =>
  rules.map(({ code, gadget_id, action_id }, index) => ({ key: firstKey + index, code, gadget_id, action_id }));

const identityOf = ({ code, gadget_id, action_id }: DraftRule | SavedRule): string =>
  JSON.stringify([code, gadget_id, action_id]);

export const isSameRule = (one: DraftRule | SavedRule, other: DraftRule | SavedRule): boolean =>
  identityOf(one) === identityOf(other);

/** Ignores the order, which has no meaning at the keypad. */
export const haveSameRules = (
  some: readonly (DraftRule | SavedRule)[],
  others: readonly (DraftRule | SavedRule)[],
): boolean =>
  some.length === others.length &&
  JSON.stringify(some.map(identityOf).sort()) === JSON.stringify(others.map(identityOf).sort());
