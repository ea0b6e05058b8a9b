import * as z from 'zod';

/**
 * The bits of a card number, one character for each. `uid`: U is a bit of the uid, - is not. Each `parity` has one E
 * (even) or O (odd) for the parity bit, and x for the bits that it covers.
 */
export interface WiegandLayout {
  readonly uid: string;
  readonly parity: readonly string[];
}

/** Even parity in front of the data over its first half, odd parity behind it over its second half. */
const betweenParities = (data: number): WiegandLayout => {
  const covered = Math.ceil(data / 2);
  const rest = '-'.repeat(data - covered + 1);
  return { uid: `-${'U'.repeat(data)}-`, parity: [`E${'x'.repeat(covered)}${rest}`, `${rest}${'x'.repeat(covered)}O`] };
};

const plainUid = (bits: number): WiegandLayout => ({ uid: 'U'.repeat(bits), parity: [] });

/** Formats by their name in a profile. Numbers are the lengths of the most common ones. */
const presets = {
  26: betweenParities(24),
  34: betweenParities(32),
  // Both parity bits cover the middle bit.
  37: betweenParities(35),
  corporate_1000_35: {
    uid: `--${'U'.repeat(32)}-`,
    parity: [`O${'x'.repeat(34)}`, `-E${'xx-'.repeat(10)}xx-`, `-${'xx-'.repeat(11)}O`],
  },
  // Maker 10 bits, facility 8, card 16.
  keyscan_36: betweenParities(34),
  // Facility 8 bits, issue 2, card 24. Both parity bits are odd and cover the middle bit.
  simplex_36: {
    uid: `-${'U'.repeat(34)}-`,
    parity: [`O${'x'.repeat(17)}${'-'.repeat(18)}`, `${'-'.repeat(17)}${'x'.repeat(18)}O`],
  },
  // Company 22 bits, card 23.
  corporate_1000_48: {
    uid: `--${'U'.repeat(45)}-`,
    parity: [`O${'x'.repeat(47)}`, `-E-${'xx-'.repeat(15)}`, `--${'xx-'.repeat(15)}O`],
  },
  // Four fixed bits, facility 12, card 16, and the exclusive or of these four bytes.
  honeywell_40: {
    uid: `----${'U'.repeat(28)}--------`,
    parity: Array.from({ length: 8 }, (_, bit) => {
      const [before, after] = ['-'.repeat(bit), '-'.repeat(7 - bit)];
      return `${`${before}x${after}`.repeat(4)}${before}E${after}`;
    }),
  },
  casi_rusco_40: { uid: `-${'U'.repeat(38)}-`, parity: [] },
  // Facility 20 bits, card 34.
  avigilon_56: betweenParities(54),
  // Facility 24 bits, card 32.
  inner_range_56: plainUid(56),
  // The numbers of a FASC-N in binary: agency 14 bits, system 14, credential 20, series 4, issue 4.
  twic_58: betweenParities(56),
  // The same numbers, then the result of the reader's own checks.
  twic_64: { uid: `${'U'.repeat(56)}--------`, parity: [] },
  uid_32: plainUid(32),
  uid_40: plainUid(40),
  uid_48: plainUid(48),
  uid_56: plainUid(56),
  uid_58: betweenParities(56),
  uid_64: plainUid(64),
} as const satisfies Readonly<Record<string, WiegandLayout>>;

const LONGEST = 64;

const layoutSchema = z
  .strictObject({
    uid: z
      .string()
      .regex(/^[U-]+$/, { error: 'may contain U and -' })
      .min(8)
      .max(LONGEST),
    parity: z
      .array(z.string().regex(/^[x-]*[EO][x-]*$/, { error: 'must contain one E or O, and otherwise x and -' }))
      .max(8)
      .default([]),
  })
  .check(({ value: { uid, parity }, issues }) => {
    if (!uid.includes('U'))
      issues.push({ code: 'custom', input: uid, path: ['uid'], message: 'must contain at least one U' });
    for (const [index, mask] of parity.entries())
      if (mask.length !== uid.length)
        issues.push({ code: 'custom', input: mask, path: ['parity', index], message: 'must be as long as uid' });
  });

const formatSchema = z.union(
  [
    z.literal([26, 34, 37]),
    z.enum([
      'corporate_1000_35',
      'keyscan_36',
      'simplex_36',
      'corporate_1000_48',
      'honeywell_40',
      'casi_rusco_40',
      'avigilon_56',
      'inner_range_56',
      'twic_58',
      'twic_64',
      'uid_32',
      'uid_40',
      'uid_48',
      'uid_56',
      'uid_58',
      'uid_64',
    ]),
    layoutSchema,
  ],
  { error: 'must be 26, 34, 37, the name of a format, or an object with uid and parity' },
);
export type WiegandFormat = z.infer<typeof formatSchema>;

export const resolveWiegandFormat = (format: WiegandFormat): WiegandLayout =>
  typeof format === 'object' ? format : presets[format];

/** Formats are recognized by their length. */
export const wiegandFormatsSchema = z
  .array(formatSchema)
  .min(1)
  .max(16)
  .check(({ value, issues }) => {
    const seen = new Set<number>();
    for (const [index, format] of value.entries()) {
      const { length } = resolveWiegandFormat(format).uid;
      if (seen.has(length))
        issues.push({
          code: 'custom',
          input: format,
          path: [index],
          message: `another format also has ${length} bits`,
        });
      seen.add(length);
    }
  });
