import * as z from 'zod';

/** The byte that a name in `keys` stands for: one character, or `0x` with two digits. */
export const byteNamed = (name: string): number =>
  name.length === 1 ? name.charCodeAt(0) : Number.parseInt(name.slice(2), 16);

const byteName = z
  .string()
  .regex(/^(?:[!-~]|0x[0-9a-f]{2})$/, { error: 'must be one character, or a byte as in 0x1b' });

const meaning = z
  .literal(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#'], {
    error: 'must be one of 0-9 * #, or null for a byte that means nothing',
  })
  .nullable();

/** What bytes of a serial keypad mean, beside or in place of the usual. */
export const serialKeys = z.record(byteName, meaning).check(({ value, issues }) => {
  const seen = new Set<number>();
  for (const name of Object.keys(value)) {
    const byte = byteNamed(name);
    if (seen.has(byte))
      issues.push({ code: 'custom', input: value, path: [name], message: 'is a byte that has a meaning already' });
    seen.add(byte);
  }
});
