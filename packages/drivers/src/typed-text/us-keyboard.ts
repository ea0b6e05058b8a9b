/* Key codes of the kernel with the characters of a US keyboard, which readers that act as a keyboard use by default. */

const numbered = (codes: readonly number[], characters: string): (readonly [number, string])[] =>
  codes.map((code, index) => [code, characters[index]!]);

const codesFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + index);

const plain: ReadonlyMap<number, string> = new Map([
  ...numbered(codesFrom(2, 12), '1234567890-='),
  ...numbered(codesFrom(16, 12), 'qwertyuiop[]'),
  ...numbered(codesFrom(30, 12), "asdfghjkl;'`"),
  ...numbered(codesFrom(43, 11), '\\zxcvbnm,./'),
  ...numbered([79, 80, 81, 75, 76, 77, 71, 72, 73, 82], '1234567890'),
]);

const shifted: ReadonlyMap<number, string> = new Map([
  ...numbered(codesFrom(2, 12), '!@#$%^&*()_+'),
  ...numbered(codesFrom(16, 12), 'QWERTYUIOP{}'),
  ...numbered(codesFrom(30, 12), 'ASDFGHJKL:"~'),
  ...numbered(codesFrom(43, 11), '|ZXCVBNM<>?'),
]);

export const ENTER_KEY_CODES: ReadonlySet<number> = new Set([28, 96]);
export const SHIFT_KEY_CODES: ReadonlySet<number> = new Set([42, 54]);
export const NUM_LOCK_KEY_CODE = 69;

/** Undefined for keys without a character. */
export const getUsKeyboardCharacter = (code: number, isShifted: boolean): string | undefined =>
  (isShifted ? shifted : plain).get(code);
