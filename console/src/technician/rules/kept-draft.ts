import type { DraftRule, Rule } from './rule.ts';

/** An edit under way, as it outlives a reload, a restart of the controller and an empty battery of the phone. */
export interface KeptDraft {
  /** The rules that the edit began from, and what stands for them. */
  readonly base: string;
  readonly before: readonly Rule[];
  readonly rules: readonly DraftRule[];
}

const keyOf = (controller: string): string => `lintel-rules:${controller}`;

const isRule = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ['code', 'gadget_id', 'action_id'].every(key => typeof (value as Record<string, unknown>)[key] === 'string');

const isDraft = (value: unknown): value is KeptDraft => {
  if (typeof value !== 'object' || value === null) return false;
  const { base, before, rules } = value as Record<string, unknown>;
  return (
    typeof base === 'string' &&
    Array.isArray(before) &&
    before.every(isRule) &&
    Array.isArray(rules) &&
    rules.every(isRule)
  );
};

/** Asked for each time: a browser may forbid even to look where it would be. */
type Shelf = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Null where there is none, or none that can be read. */
export const readDraft = (shelf: Shelf, controller: string): KeptDraft | null => {
  try {
    const kept: unknown = JSON.parse(shelf().getItem(keyOf(controller)) ?? 'null');
    return isDraft(kept) ? { ...kept, rules: kept.rules.map((rule, index) => ({ ...rule, key: index + 1 })) } : null;
  } catch {
    return null;
  }
};

/** A full or forbidden shelf is no reason to stop editing. */
export const keepDraft = (shelf: Shelf, controller: string, draft: KeptDraft | null): void => {
  try {
    if (draft === null) shelf().removeItem(keyOf(controller));
    else shelf().setItem(keyOf(controller), JSON.stringify(draft));
  } catch {
    // The edit lives on in the page.
  }
};
