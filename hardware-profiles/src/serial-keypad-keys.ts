import * as z from 'zod';

/** The byte for a name in `keys`: one character, or `0x` with two hexadecimal digits. */
export const parseSerialKeyByteName = (name: string): number =>
  name.length === 1 ? name.charCodeAt(0) : Number.parseInt(name.slice(2), 16);

const byteName = z
  .string()
  .regex(/^(?:[!-~]|0x[0-9a-f]{2})$/, { error: 'must be one character, or a byte such as 0x1b' });

const mappedKey = z
  .literal(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#'], {
    error: 'must be one of 0-9 * #, or null to ignore the byte',
  })
  .nullable();

/** Maps bytes of a serial keypad to keys, in addition to the defaults. */
export const serialKeypadKeysSchema = z.record(byteName, mappedKey).check(({ value, issues }) => {
  const seen = new Set<number>();
  for (const name of Object.keys(value)) {
    const byte = parseSerialKeyByteName(name);
    if (seen.has(byte))
      issues.push({ code: 'custom', input: value, path: [name], message: 'is a byte that is already mapped' });
    seen.add(byte);
  }
});
