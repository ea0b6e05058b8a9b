import { MAX_INPUT_RULE_CODE_LENGTH } from '@lintel/access-core/input-rules';
import { findInputRuleCodeConflicts } from '@lintel/access-core/input-rules-conflicts';
import { suggestInputRuleCode } from '@lintel/access-core/suggest-input-rule-code';
import type { InputRuleDestination, DraftInputRule } from '../draft-input-rule.ts';

/** A problem of one rule in a draft. */
export type InputRuleIssue =
  /** Reported for both codes. */
  | { readonly kind: 'conflict'; readonly relation: 'same' | 'begins' | 'begun'; readonly other: number }
  | { readonly kind: 'digit_beside_default'; readonly other: number }
  | { readonly kind: 'default_beside_digits'; readonly other: number }
  | { readonly kind: 'unreadable_code' | 'too_long' | 'no_gadget' | 'no_action' };

export type InputRuleIssues = ReadonlyMap<number, readonly InputRuleIssue[]>;

const relationOf = (code: string, other: string): 'same' | 'begins' | 'begun' => {
  if (code === other) return 'same';
  return other.startsWith(code) ? 'begins' : 'begun';
};

const mirrored = { same: 'same', begins: 'begun', begun: 'begins' } as const;

class IssueCollection {
  readonly #issues = new Map<number, InputRuleIssue[]>();

  add(index: number, issue: InputRuleIssue): void {
    const existing = this.#issues.get(index);
    if (existing === undefined) this.#issues.set(index, [issue]);
    else existing.push(issue);
  }

  get all(): InputRuleIssues {
    return this.#issues;
  }
}

const indexOf = (path: string): number => Number(path.split('.')[1]);

const addConflicts = (rules: readonly DraftInputRule[], issues: IssueCollection): void => {
  const codes = rules.map(({ code }) => code);
  const defaultIndex = codes.indexOf('');
  let isDefaultReported = false;
  for (const { path, code: kind } of findInputRuleCodeConflicts(codes, 'rules')) {
    const index = indexOf(path);
    const code = codes[index] ?? '';
    if (kind === 'digit_beside_default') {
      issues.add(index, { kind, other: defaultIndex });
      if (!isDefaultReported) issues.add(defaultIndex, { kind: 'default_beside_digits', other: index });
      isDefaultReported = true;
      continue;
    }
    const other = codes.findIndex(
      (one, at) =>
        at < index && (one === code || (one !== '' && (code.startsWith(one) || one.startsWith(code)) && code !== '')),
    );
    if (other === -1) continue;
    const relation = relationOf(code, codes[other] ?? '');
    issues.add(index, { kind: 'conflict', relation, other });
    issues.add(other, { kind: 'conflict', relation: mirrored[relation], other: index });
  }
};

const addRuleIssues = (
  rules: readonly DraftInputRule[],
  destinations: readonly InputRuleDestination[],
  issues: IssueCollection,
): void => {
  const gadgets = new Map(
    destinations.map(({ gadget_id, actions }) => [String(gadget_id), actions.map(({ id }) => id)]),
  );
  for (const [index, { code, gadget_id, action_id }] of rules.entries()) {
    if (code.length > MAX_INPUT_RULE_CODE_LENGTH) issues.add(index, { kind: 'too_long' });
    // Suggests another code for one that cannot be typed.
    else if (code !== '' && suggestInputRuleCode([], code) !== code) issues.add(index, { kind: 'unreadable_code' });
    const actions = gadgets.get(gadget_id);
    if (actions === undefined) issues.add(index, { kind: 'no_gadget' });
    else if (!actions.includes(action_id)) issues.add(index, { kind: 'no_action' });
  }
};

/** Returns the issues by the index of the rule. */
export const findInputRuleIssues = (
  rules: readonly DraftInputRule[],
  destinations: readonly InputRuleDestination[],
): InputRuleIssues => {
  const issues = new IssueCollection();
  addRuleIssues(rules, destinations, issues);
  addConflicts(rules, issues);
  return issues.all;
};

/** Suggests a similar code without a conflict for the rule at `index`; null when there is none. */
export const suggestReplacementInputRuleCode = (rules: readonly DraftInputRule[], index: number): string | null => {
  const others = rules.filter((_, at) => at !== index).map(({ code }) => code);
  return suggestInputRuleCode(others, rules[index]?.code ?? '');
};

export const suggestNewInputRuleCode = (rules: readonly DraftInputRule[]): string =>
  suggestInputRuleCode(
    rules.map(({ code }) => code),
    rules.length === 0 ? '' : rules.some(({ code }) => code === '') ? '*1' : '1',
  ) ?? '';
