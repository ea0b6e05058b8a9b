import { MAX_CODE_LENGTH } from '@lintel/access-core/input-rules';
import { findCodeConflicts } from '@lintel/access-core/input-rules-conflicts';
import { suggestCode } from '@lintel/access-core/input-rules-suggest';
import type { Destination, DraftRule } from './rule.ts';

/** Something that is wrong with one rule of a draft. */
export type RuleNote =
  /** The two codes cannot stand beside one another; noted at both. */
  | { readonly kind: 'conflict'; readonly relation: 'same' | 'begins' | 'begun'; readonly other: number }
  | { readonly kind: 'digit_beside_default'; readonly other: number }
  | { readonly kind: 'default_beside_digits'; readonly other: number }
  | { readonly kind: 'unreadable_code' | 'too_long' | 'no_gadget' | 'no_action' };

export type RuleNotes = ReadonlyMap<number, readonly RuleNote[]>;

const relationOf = (code: string, other: string): 'same' | 'begins' | 'begun' => {
  if (code === other) return 'same';
  return other.startsWith(code) ? 'begins' : 'begun';
};

const mirrored = { same: 'same', begins: 'begun', begun: 'begins' } as const;

class Notes {
  readonly #notes = new Map<number, RuleNote[]>();

  add(index: number, note: RuleNote): void {
    const known = this.#notes.get(index);
    if (known === undefined) this.#notes.set(index, [note]);
    else known.push(note);
  }

  get all(): RuleNotes {
    return this.#notes;
  }
}

const indexOf = (path: string): number => Number(path.split('.')[1]);

const addConflicts = (rules: readonly DraftRule[], notes: Notes): void => {
  const codes = rules.map(({ code }) => code);
  const defaultIndex = codes.indexOf('');
  let isDefaultNoted = false;
  for (const { path, code: kind } of findCodeConflicts(codes, 'rules')) {
    const index = indexOf(path);
    const code = codes[index] ?? '';
    if (kind === 'digit_beside_default') {
      notes.add(index, { kind, other: defaultIndex });
      if (!isDefaultNoted) notes.add(defaultIndex, { kind: 'default_beside_digits', other: index });
      isDefaultNoted = true;
      continue;
    }
    const other = codes.findIndex(
      (one, at) =>
        at < index && (one === code || (one !== '' && (code.startsWith(one) || one.startsWith(code)) && code !== '')),
    );
    if (other === -1) continue;
    const relation = relationOf(code, codes[other] ?? '');
    notes.add(index, { kind: 'conflict', relation, other });
    notes.add(other, { kind: 'conflict', relation: mirrored[relation], other: index });
  }
};

const addOwnProblems = (rules: readonly DraftRule[], destinations: readonly Destination[], notes: Notes): void => {
  const gadgets = new Map(
    destinations.map(({ gadget_id, actions }) => [String(gadget_id), actions.map(({ id }) => id)]),
  );
  for (const [index, { code, gadget_id, action_id }] of rules.entries()) {
    if (code.length > MAX_CODE_LENGTH) notes.add(index, { kind: 'too_long' });
    // A code that can stand alone is one that can be typed.
    else if (code !== '' && suggestCode([], code) !== code) notes.add(index, { kind: 'unreadable_code' });
    const actions = gadgets.get(gadget_id);
    if (actions === undefined) notes.add(index, { kind: 'no_gadget' });
    else if (!actions.includes(action_id)) notes.add(index, { kind: 'no_action' });
  }
};

/** What stands between the draft and the door, by the place of the rule in the list. */
export const notesOn = (rules: readonly DraftRule[], destinations: readonly Destination[]): RuleNotes => {
  const notes = new Notes();
  addOwnProblems(rules, destinations, notes);
  addConflicts(rules, notes);
  return notes.all;
};

/** A code near the one at `index` that can stand beside all others; null when they leave no room. */
export const codeInstead = (rules: readonly DraftRule[], index: number): string | null => {
  const others = rules.filter((_, at) => at !== index).map(({ code }) => code);
  return suggestCode(others, rules[index]?.code ?? '');
};

/** A first code for a rule that is being added. */
export const freeCode = (rules: readonly DraftRule[]): string =>
  suggestCode(
    rules.map(({ code }) => code),
    rules.length === 0 ? '' : rules.some(({ code }) => code === '') ? '*1' : '1',
  ) ?? '';
