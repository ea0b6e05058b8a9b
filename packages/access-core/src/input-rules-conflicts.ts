import { createProblem, type Problem } from './result.ts';

interface SeenCodes {
  /** All non-empty codes, with the first rule that has them. */
  readonly codes: Map<string, number>;
  /** All prefixes of codes, including the codes themselves, with the first rule that has them. */
  readonly beginnings: Map<string, number>;
}

const beginningsOf = (code: string): readonly string[] => Array.from(code, (_key, index) => code.slice(0, index + 1));

const remember = (seen: SeenCodes, code: string, index: number): void => {
  if (!seen.codes.has(code)) seen.codes.set(code, index);
  for (const beginning of beginningsOf(code)) {
    if (!seen.beginnings.has(beginning)) seen.beginnings.set(beginning, index);
  }
};

/** The first rule whose code equals this one, is a prefix of it, or has it as a prefix. */
const earliestConflict = (seen: SeenCodes, code: string): number | undefined => {
  const found = beginningsOf(code).map(beginning => seen.codes.get(beginning));
  const indexes = [...found, seen.beginnings.get(code)].filter(index => index !== undefined);
  return indexes.length === 0 ? undefined : Math.min(...indexes);
};

const relation = (code: string, other: string): string => {
  if (code === other) return 'is the same as';
  return other.startsWith(code) ? 'is the beginning of' : 'begins with';
};

/**
 * Conflicts between codes. `codes` has one entry per rule, null if the code is invalid. Reports at most one problem of
 * each kind per rule, so that 500 equal codes give 499 problems and not 125,000.
 */
export const findInputRuleCodeConflicts = (codes: readonly (string | null)[], path: string): readonly Problem[] => {
  const at = (index: number): string => `${path}.${index}.code`;
  const seen: SeenCodes = { codes: new Map(), beginnings: new Map() };
  const defaultIndex = codes.indexOf('');
  return codes.flatMap((code, index) => {
    if (code === null) return [];
    if (code === '') {
      if (index === defaultIndex) return [];
      const message = `must not be empty, because ${at(defaultIndex)} is already the default rule`;
      return [createProblem(at(index), 'second_default', message)];
    }
    const problems: Problem[] = [];
    const other = earliestConflict(seen, code);
    if (other !== undefined) {
      const otherCode = codes[other] ?? '';
      const message = `must not be "${code}": it ${relation(code, otherCode)} the code "${otherCode}" of ${at(other)}`;
      problems.push(createProblem(at(index), 'code_conflict', message));
    }
    if (defaultIndex !== -1 && /^[0-9]/.test(code)) {
      const message = `must start with * or #, because ${at(defaultIndex)} is a default rule`;
      problems.push(createProblem(at(index), 'digit_beside_default', message));
    }
    remember(seen, code, index);
    return problems;
  });
};
