import type { DraftRule, SavedRule } from '../rule.ts';

/** A draft in the storage of the browser, which survives a reload. */
export interface StoredRuleDraft {
  /** The revision of the rules that the draft started from. */
  readonly base: string;
  readonly before: readonly SavedRule[];
  readonly rules: readonly DraftRule[];
}

const keyOf = (controller: string): string => `lintel-rules:${controller}`;

const isRule = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ['code', 'gadget_id', 'action_id'].every(key => typeof (value as Record<string, unknown>)[key] === 'string');

const isDraft = (value: unknown): value is StoredRuleDraft => {
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

/** A function, because a browser may throw on access to `localStorage`. */
type GetStorage = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Returns null without a valid draft. */
export const readStoredRuleDraft = (getStorage: GetStorage, controller: string): StoredRuleDraft | null => {
  try {
    const stored: unknown = JSON.parse(getStorage().getItem(keyOf(controller)) ?? 'null');
    return isDraft(stored)
      ? { ...stored, rules: stored.rules.map((rule, index) => ({ ...rule, key: index + 1 })) }
      : null;
  } catch {
    return null;
  }
};

export const storeRuleDraft = (getStorage: GetStorage, controller: string, draft: StoredRuleDraft | null): void => {
  try {
    if (draft === null) getStorage().removeItem(keyOf(controller));
    else getStorage().setItem(keyOf(controller), JSON.stringify(draft));
  } catch {
    // Editing continues without storage.
  }
};
