/** A lower-case ULID in four 32-bit words: 16 bytes instead of 40 or more for a string. */
export const ULID_LENGTH = 26;

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const NO_DIGIT = 0x80;

const digitOf = new Uint8Array(128).fill(NO_DIGIT);
for (const [value, digit] of Array.from(DIGITS).entries()) digitOf[digit.charCodeAt(0)] = value;

const codeOf = Uint8Array.from(DIGITS, digit => digit.charCodeAt(0));

/** Six digits are 30 bits; -1 if one of them is invalid. */
const readSix = (text: string, from: number): number => {
  const c0 = text.charCodeAt(from);
  const c1 = text.charCodeAt(from + 1);
  const c2 = text.charCodeAt(from + 2);
  const c3 = text.charCodeAt(from + 3);
  const c4 = text.charCodeAt(from + 4);
  const c5 = text.charCodeAt(from + 5);
  if ((c0 | c1 | c2 | c3 | c4 | c5) > 127) return -1;
  const d0 = digitOf[c0]!;
  const d1 = digitOf[c1]!;
  const d2 = digitOf[c2]!;
  const d3 = digitOf[c3]!;
  const d4 = digitOf[c4]!;
  const d5 = digitOf[c5]!;
  if (((d0 | d1 | d2 | d3 | d4 | d5) & NO_DIGIT) !== 0) return -1;
  return (d0 << 25) | (d1 << 20) | (d2 << 15) | (d3 << 10) | (d4 << 5) | d5;
};

/** Two digits are the top 8 bits; the first is at most 7, so that the value fits into 128 bits. */
const readTop = (text: string, from: number): number => {
  const c0 = text.charCodeAt(from);
  const c1 = text.charCodeAt(from + 1);
  if ((c0 | c1) > 127) return -1;
  const d0 = digitOf[c0]!;
  const d1 = digitOf[c1]!;
  return d0 > 7 || d1 === NO_DIGIT ? -1 : (d0 << 5) | d1;
};

/** Returns false and leaves `words` unchanged unless `readPackedUlid` would return exactly these 26 characters. */
export const writePackedUlid = (text: string, from: number, words: Uint32Array, at: number): boolean => {
  const top = readTop(text, from);
  const a = readSix(text, from + 2);
  const b = readSix(text, from + 8);
  const c = readSix(text, from + 14);
  const d = readSix(text, from + 20);
  if ((top | a | b | c | d) < 0) return false;
  words[at] = (top << 24) | (a >>> 6);
  words[at + 1] = (a << 26) | (b >>> 4);
  words[at + 2] = (b << 28) | (c >>> 2);
  words[at + 3] = (c << 30) | d;
  return true;
};

/** The digit that starts at bit `shift` of a word, counted from its low end. */
const digit = (word: number, shift: number): number => codeOf[(word >>> shift) & 31]!;
/** The digit whose high bits end one word and whose `low` remaining bits begin the next. */
const across = (high: number, low: number, count: number): number =>
  codeOf[((high << count) | (low >>> (32 - count))) & 31]!;

export const readPackedUlid = (words: Uint32Array, at: number): string => {
  const a = words[at]!;
  const b = words[at + 1]!;
  const c = words[at + 2]!;
  const d = words[at + 3]!;
  return String.fromCharCode(
    codeOf[a >>> 29]!,
    digit(a, 24),
    digit(a, 19),
    digit(a, 14),
    digit(a, 9),
    digit(a, 4),
    across(a, b, 1),
    digit(b, 26),
    digit(b, 21),
    digit(b, 16),
    digit(b, 11),
    digit(b, 6),
    digit(b, 1),
    across(b, c, 4),
    digit(c, 23),
    digit(c, 18),
    digit(c, 13),
    digit(c, 8),
    digit(c, 3),
    across(c, d, 2),
    digit(d, 25),
    digit(d, 20),
    digit(d, 15),
    digit(d, 10),
    digit(d, 5),
    digit(d, 0),
  );
};
