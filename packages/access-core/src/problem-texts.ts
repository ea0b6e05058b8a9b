/**
 * What a problem says about its field, with one wording for each situation. "The field 'name'" goes before it in an error
 * of an API, and the path of the field in the output of a command.
 */

/** `a, b and c` */
export const joinWords = (words: readonly string[], conjunction: 'and' | 'or' = 'and'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;

const quoteWords = (words: readonly string[]): string => joinWords(words.map(word => `'${word}'`));

const suggest = (nearest: string | null): string => (nearest === null ? '' : `. Did you mean '${nearest}'?`);

const count = (number: number, singular: string, plural: string): string =>
  number === 1 ? `1 ${singular}` : `${number} ${plural}`;

export const isMissing = 'is missing';

export const isUnknownField = (nearest: string | null = null): string => `is not a known field${suggest(nearest)}`;

export const isUnknownFilter = (nearest: string | null = null): string =>
  `is not a supported filter${suggest(nearest)}`;

export const isUnknownParameter = (nearest: string | null = null): string =>
  `is not a supported parameter${suggest(nearest)}`;

export const isRepeated = 'must be given only once';

/** `what` with its article, such as `a string`. */
export const mustBe = (what: string): string => `must be ${what}`;

export const mustBeString = mustBe('a string');
export const mustBeBoolean = mustBe('true or false');
export const mustBeObject = mustBe('an object');
export const mustBeArray = mustBe('an array');

/** A longer list is cut, because it says less than the documentation. */
const MAX_LISTED = 30;

export const mustBeOneOf = (values: readonly unknown[]): string => {
  const names = values.map(String);
  if (names.length < 3) return mustBe(joinWords(names, 'or'));
  if (names.length <= MAX_LISTED) return `must be one of ${names.join(', ')}`;
  return `must be one of ${names.length} values, such as ${names.slice(0, 3).join(', ')}`;
};

/** `what` has no article: `number`, `whole number of seconds`. Null: without a limit. */
export const mustBeNumberBetween = (what: string, least: number | null, most: number | null): string => {
  if (least !== null && most !== null) return `must be a ${what} from ${least} to ${most}`;
  if (least !== null) return `must be a ${what} of at least ${least}`;
  return most === null ? `must be a ${what}` : `must be a ${what} of at most ${most}`;
};

/** `least` itself is not allowed. Null: without a limit. */
export const mustBeNumberAbove = (what: string, least: number, most: number | null): string =>
  most === null ? `must be a ${what} above ${least}` : `must be a ${what} above ${least} and at most ${most}`;

/** Sizes of texts and arrays. Null: without a limit. */
const mustHave = (singular: string, plural: string, least: number | null, most: number | null): string => {
  if (least !== null && least === most) return `must have exactly ${count(most, singular, plural)}`;
  if (least !== null && most !== null && least > 0) return `must have ${least} to ${count(most, singular, plural)}`;
  if (most !== null) return `must have at most ${count(most, singular, plural)}`;
  return `must have at least ${count(least ?? 0, singular, plural)}`;
};

export const mustHaveCharacters = (least: number | null, most: number | null): string =>
  mustHave('character', 'characters', least, most);

export const mustHaveEntries = (least: number | null, most: number | null): string =>
  mustHave('entry', 'entries', least, most);

export const mustBeStorableText = 'must be well-formed text without NUL';

/** `kind` such as `member group`. */
export const refersToNothing = (kind: string, id: string): string =>
  `refers to the ${kind} ${id}, which does not exist`;

/** `user` such as `the card crd_1`. */
export const isInUse = (user: string): string => `is already in use by ${user}`;

export const mustBeSetAlone = (other: string): string => `must not be set together with '${other}'`;

export const needsField = (other: string): string => `needs the field '${other}'`;

export const isMissingOneOf = (names: readonly string[]): string =>
  `is missing: exactly one of ${quoteWords(names)} is required`;

export const isOneTooMany = (names: readonly string[]): string =>
  `is one too many: exactly one of ${quoteWords(names)} is required`;

export const isMissingAtLeastOneOf = (names: readonly string[]): string =>
  `is missing: at least one of ${quoteWords(names)} is required`;

export const mustNotBeBefore = (other: string): string => `must not be before '${other}'`;

export const cannotBeSet = 'is reported by the device and cannot be set';
