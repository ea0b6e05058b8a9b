import { MAX_INPUT_RULE_CODE_LENGTH } from './input-rules.ts';

const digits = Array.from('1234567890');
const keys = [...digits, '*', '#'];

const fits = (taken: readonly string[], code: string): boolean =>
  /^[0-9#*]+$/.test(code) &&
  code.length <= MAX_INPUT_RULE_CODE_LENGTH &&
  (/^[*#]/.test(code) || !taken.includes('')) &&
  taken.every(other => other === '' || !(other.startsWith(code) || code.startsWith(other)));

/** Codes that differ from the wanted one in a single key, last keys first: the next digits, then * and #. */
function* neighbours(wanted: string): Generator<string> {
  for (let index = wanted.length - 1; index >= 0; index -= 1) {
    const next = digits.indexOf(wanted.charAt(index)) + 1;
    for (const key of [...digits.slice(next), ...digits.slice(0, next), '*', '#']) {
      yield wanted.slice(0, index) + key + wanted.slice(index + 1);
    }
  }
}

/** One key after each prefix of a used code: a free code exists if and only if one of these is free. */
function* branches(taken: readonly string[]): Generator<string> {
  const beginnings = new Set(['']);
  for (const code of taken) {
    for (let length = 1; length < code.length; length += 1) beginnings.add(code.slice(0, length));
  }
  for (const beginning of [...beginnings].sort((a, b) => a.length - b.length)) {
    for (const key of keys) {
      // A bare * or # would block every code that starts with it.
      if (beginning === '' && (key === '*' || key === '#')) yield `${key}1`;
      yield beginning + key;
    }
  }
}

function* candidates(taken: readonly string[], wanted: string): Generator<string> {
  yield wanted;
  if (/^[0-9]/.test(wanted) && taken.includes('')) yield* [`*${wanted}`, `#${wanted}`];
  if (wanted.length <= MAX_INPUT_RULE_CODE_LENGTH) yield* neighbours(wanted);
  yield* branches(taken);
}

/**
 * Suggests a code near the wanted one that does not conflict with the used codes, if possible the wanted one itself;
 * null if none is free. An empty used code is a default rule.
 */
export const suggestInputRuleCode = (taken: readonly string[], wanted: string): string | null => {
  if (wanted === '' && taken.every(code => /^[*#]/.test(code))) return wanted;
  for (const code of candidates(taken, wanted)) {
    if (fits(taken, code)) return code;
  }
  return null;
};
