import * as fc from 'fast-check';

const LONE_SURROGATE = '\ud800';

/** Strings that are known to break servers. */
const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  LONE_SURROGATE,
  `x${LONE_SURROGATE}y`,
  '\u{1f511}',
  '\u202e',
  "'; drop table members; --",
  '" or 1=1 --',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0',
  '1e999',
  '9'.repeat(40),
  '2026-02-30T25:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '9999-12-31T23:59:59.999999999+14:00',
  '0000-01-01T00:00:00Z',
  '../../etc/passwd',
  '{"$gt":""}',
  '${7*7}',
  '<script>',
  'x'.repeat(199),
  'x'.repeat(5000),
];

/** Any code point. The unit `binary` of fast-check takes a second to prepare. */
const character = fc.integer({ min: 0, max: 0x10ffff }).map(codePoint => String.fromCodePoint(codePoint));

export const hostileText = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: character, maxLength: 30 }),
  fc.string({ maxLength: 20 }),
);

export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, false, 0, -0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 63), [], {}, [[]], { __proto__: null }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Path segments that are already encoded, some of them invalidly. */
export const hostileSegment = fc.oneof(
  hostileText.map(text => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('%', '%zz', '%ff', '%c0%80', '%ED%A0%80', '%2e%2e%2f', '%00', '%25%30%30', '.', 'a;b', 'a:b', '*'),
);
