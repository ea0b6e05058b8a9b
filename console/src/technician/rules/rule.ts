import type { TechnicianRules } from '@lintel/wire-protocol/technician/input-rules';

export type Rule = TechnicianRules['input_rules'][number];
export type Destination = TechnicianRules['destinations'][number];

/** A rule in the editor. An id that is not chosen yet is empty. */
export interface DraftRule {
  /** Identifies the rule while it is edited. */
  readonly key: number;
  readonly code: string;
  readonly gadget_id: string;
  readonly action_id: string;
}

export const plainRule = ({ code, gadget_id, action_id }: DraftRule | Rule): Rule =>
  ({ code, gadget_id, action_id }) as Rule;

export const draftOf = (rules: readonly Rule[], firstKey = 1): readonly DraftRule[] =>
  rules.map(({ code, gadget_id, action_id }, index) => ({ key: firstKey + index, code, gadget_id, action_id }));

const identityOf = ({ code, gadget_id, action_id }: DraftRule | Rule): string =>
  JSON.stringify([code, gadget_id, action_id]);

export const areSameRule = (one: DraftRule | Rule, other: DraftRule | Rule): boolean =>
  identityOf(one) === identityOf(other);

/** Ignores the order, which has no meaning at the keypad. */
export const areSameRules = (some: readonly (DraftRule | Rule)[], others: readonly (DraftRule | Rule)[]): boolean =>
  some.length === others.length &&
  JSON.stringify(some.map(identityOf).sort()) === JSON.stringify(others.map(identityOf).sort());
