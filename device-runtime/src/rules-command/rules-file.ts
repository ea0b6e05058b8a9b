import { readFileSync } from 'node:fs';
import { type InputRule, isTypedByHabit, parseInputRules } from '@lintel/access-core/input-rules';
import { suggestInputRuleCode } from '@lintel/access-core/suggest-input-rule-code';
import { describeJsonFileError } from '@lintel/service/command-line/describe-system-error';
import { failed, ok, createProblem, type Problem, type Result } from '@lintel/access-core/result';

export interface InputRulesFile {
  readonly input_rules: readonly InputRule[];
  /** The base of the edit, if the file has one. */
  readonly base?: string;
}

/** A list of rules, or an object with such a list under `input_rules`. */
export const readInputRulesFile = (file: string): Result<InputRulesFile> => {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return failed([createProblem('', 'unreadable', describeJsonFileError(error, file))]);
  }
  const { input_rules, base } = (Array.isArray(content) ? { input_rules: content } : (content ?? {})) as {
    readonly input_rules?: unknown;
    readonly base?: unknown;
  };
  const rules = parseInputRules(input_rules, null, 'input_rules');
  if (!rules.ok) return rules;
  return ok({ input_rules: rules.value, ...(typeof base === 'string' ? { base } : {}) });
};

/** Describes a rule in a sentence. */
const describeRule = ({ code, gadget_id, action_id }: InputRule): string =>
  code === ''
    ? `A PIN or card without a code: ${action_id} ${gadget_id}`
    : `Typing ${Array.from(code).join(' ')} and then a PIN or card: ${action_id} ${gadget_id}`;

export const describeInputRules = (rules: readonly InputRule[]): string =>
  rules.length === 0
    ? 'No rules: a PIN or card triggers the first action of the first gadget'
    : rules.map(describeRule).join('\n');

/** What is allowed and rarely meant, one line for each rule. */
export const warnAboutInputRules = (rules: readonly InputRule[]): readonly string[] =>
  rules.flatMap(({ code }, index) =>
    isTypedByHabit(code)
      ? `input_rules.${index}.code: people press * before a PIN and # after it by habit, and then "${code}" selects this gadget for the next person. Add a digit, such as "${code}1"`
      : [],
  );

const codesIn = (file: string): string[] => {
  const content = JSON.parse(readFileSync(file, 'utf8')) as unknown;
  const listed = Array.isArray(content) ? content : (content as { input_rules: unknown[] }).input_rules;
  return (listed as ReadonlyArray<{ code: string }>).map(({ code }) => code);
};

/** Suggests a code that does not conflict with the others. */
const suggestFix = (file: string, { path, code }: Problem): string => {
  if (code !== 'code_conflict' && code !== 'digit_beside_default') return '';
  const codes = codesIn(file);
  const index = Number(path.split('.').at(-2));
  const free = suggestInputRuleCode(codes.toSpliced(index, 1), codes[index] ?? '');
  return free === null ? '' : `\n    ${JSON.stringify(free)} would work`;
};

export const describeInputRulesProblems = (file: string, problems: readonly Problem[]): string =>
  problems
    .map(found => `${found.path === '' ? '' : `${found.path}: `}${found.message}${suggestFix(file, found)}`)
    .join('\n');
