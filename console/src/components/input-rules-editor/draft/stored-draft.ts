import type { DraftInputRule, SavedInputRule } from '../draft-input-rule.ts';

/** A draft in the storage of the browser, which survives a reload. */
export interface StoredInputRulesDraft {
  /** The revision of the rules that the draft started from. */
  readonly base: string;
  readonly before: readonly SavedInputRule[];
  readonly rules: readonly DraftInputRule[];
}

const keyOf = (controller: string): string => `lintel-rules:${controller}`;

const isRule = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ['code', 'gadget_id', 'action_id'].every(key => typeof (value as Record<string, unknown>)[key] === 'string');

const isDraft = (value: unknown): value is StoredInputRulesDraft => {
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
export const readStoredInputRulesDraft = (getStorage: GetStorage, controller: string): StoredInputRulesDraft | null => {
  try {
    const stored: unknown = JSON.parse(getStorage().getItem(keyOf(controller)) ?? 'null');
    return isDraft(stored)
      ? { ...stored, rules: stored.rules.map((rule, index) => ({ ...rule, key: index + 1 })) }
      : null;
  } catch {
    return null;
  }
};

export const storeInputRulesDraft = (
  getStorage: GetStorage,
  controller: string,
  draft: StoredInputRulesDraft | null,
): void => {
  try {
    if (draft === null) getStorage().removeItem(keyOf(controller));
    else getStorage().setItem(keyOf(controller), JSON.stringify(draft));
  } catch {
    // Editing continues without storage.
  }
};
