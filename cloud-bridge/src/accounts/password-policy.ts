import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 1024;

/** For passwords that the operator sets in a seed file. */
export const isAllowedOperatorSetPassword = (password: string): boolean =>
  password !== '' && password.length <= MAX_PASSWORD_LENGTH;

/** Whose password it is. */
export interface PasswordOwner {
  readonly email: string;
  /** Of the organizations, which a guesser knows. */
  readonly organizationNames: readonly string[];
}

let commonWords: ReadonlySet<string> | null = null;

/** Read when first needed, because most commands do not need it. */
const loadCommonWords = (): ReadonlySet<string> => {
  commonWords ??= new Set(
    readFileSync(join(import.meta.dirname, 'common-passwords.txt'), 'utf8')
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#')),
  );
  return commonWords;
};

/** What is typed after or before a common word so that a rule about length or digits is met. */
const MAX_ADDED = 8;

const isCommon = (password: string): boolean => {
  const words = loadCommonWords();
  const core = password.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return words.has(password) || (password.length - core.length <= MAX_ADDED && words.has(core));
};

const MAX_UNIT = 8;

/** `aaaaaaaaaaaa`, `abcabcabcabc` and `password1password1`, but no password of several words. */
const isRepetition = (password: string): boolean => {
  for (let unit = 1; unit <= Math.min(MAX_UNIT + 1, password.length / 2); unit++)
    if (password.slice(unit) === password.slice(0, -unit)) return true;
  return false;
};

const rows = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm', 'qwertzuiopasdfghjklyxcvbnm'];
const sequences = rows.flatMap(row => [row, row.split('').toReversed().join('')]).map(row => row.repeat(3));

const isSequence = (password: string): boolean => sequences.some(sequence => sequence.includes(password));

const PRODUCT = 'lintel';
/** What must remain of a password without a name that a guesser knows. */
const MIN_REST = 8;
const MIN_NAME = 4;

const lettersAndDigits = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const isMadeOfNames = (password: string, { email, organizationNames }: PasswordOwner): boolean => {
  const typed = lettersAndDigits(password);
  return [PRODUCT, email.split('@')[0] ?? '', ...organizationNames]
    .map(lettersAndDigits)
    .some(name => name.length >= MIN_NAME && typed.replaceAll(name, '').length < Math.min(MIN_REST, typed.length));
};

/** Why a user cannot choose this password; null if it is acceptable. */
export const findNewPasswordProblem = (password: string, owner: PasswordOwner): string | null => {
  if (password.length < MIN_PASSWORD_LENGTH)
    return `The password must have at least ${MIN_PASSWORD_LENGTH} characters.`;
  if (password.length > MAX_PASSWORD_LENGTH) return `The password must have at most ${MAX_PASSWORD_LENGTH} characters.`;
  const typed = password.trim().toLowerCase();
  if (typed === owner.email) return 'The password must differ from the email address.';
  if (isRepetition(typed)) return 'The password repeats the same characters. Choose another one.';
  if (isSequence(typed)) return 'The password is a row of the keyboard or the alphabet. Choose another one.';
  if (isCommon(typed)) return 'This is one of the most common passwords. Choose another one.';
  if (isMadeOfNames(typed, owner))
    return 'The password is little more than the name of the product, the organization or the user. Choose another one.';
  return null;
};
