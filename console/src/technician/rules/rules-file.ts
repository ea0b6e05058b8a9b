import type { Rule } from './rule.ts';

export type ReadFile =
  | { readonly ok: true; readonly rules: readonly Rule[] }
  | { readonly ok: false; readonly reason: 'not_json' | 'no_rules' }
  /** `place` is where the file is no rule: `input_rules.1.code`. */
  | { readonly ok: false; readonly reason: 'not_text'; readonly place: string };

export const LARGEST_FILE = 256 * 1024;

const fields = ['code', 'gadget_id', 'action_id'] as const;

/**
 * As `lintel rules get` prints it. Only its form is judged here: what is wrong with a code or a gadget is shown by the
 * editor, each at its rule and with a way out.
 */
export const readRulesFile = (text: string): ReadFile => {
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
    if (field !== undefined) return { ok: false, reason: 'not_text', place: `input_rules.${index}.${field}` };
  }
  return { ok: true, rules: list as readonly Rule[] };
};

export const rulesFileText = (rules: readonly Rule[]): string => `${JSON.stringify({ input_rules: rules }, null, 2)}\n`;
