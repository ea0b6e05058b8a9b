import type { SavedInputRule } from '../draft-input-rule.ts';

export type InputRulesFileResult =
  | { readonly ok: true; readonly rules: readonly SavedInputRule[] }
  | { readonly ok: false; readonly reason: 'not_json' | 'no_rules' }
  /** `path` of the invalid value, for example `input_rules.1.code`. */
  | { readonly ok: false; readonly reason: 'not_text'; readonly path: string };

export const MAX_INPUT_RULES_FILE_BYTES = 256 * 1024;

const fields = ['code', 'gadget_id', 'action_id'] as const;

/** Reads the output of `lintel rules get`. Checks the types only; the editor shows invalid codes and gadgets. */
export const parseInputRulesFile = (text: string): InputRulesFileResult => {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return { ok: false, reason: 'not_json' };
  }
  const list: unknown = Array.isArray(content) ? content : (content as { input_rules?: unknown } | null)?.input_rules;
  if (!Array.isArray(list)) return { ok: false, reason: 'no_rules' };
  for (const [index, rule] of (list as readonly (Readonly<Record<string, unknown>> | null)[]).entries()) {
    const field = fields.find(one => typeof rule?.[one] !== 'string');
    if (field !== undefined) return { ok: false, reason: 'not_text', path: `input_rules.${index}.${field}` };
  }
  return { ok: true, rules: list as readonly SavedInputRule[] };
};

export const formatInputRulesFile = (rules: readonly SavedInputRule[]): string =>
  `${JSON.stringify({ input_rules: rules }, null, 2)}\n`;
