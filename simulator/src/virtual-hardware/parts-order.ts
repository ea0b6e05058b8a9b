import * as z from 'zod';

const name = z.string().min(1).max(64);
const LONGEST_STEP_MS = 100 * 366 * 86_400_000;
const station = { station: name.optional() };

/** What whoever plays the people and the door may say, one JSON document a line. */
const order = z.union([
  z.strictObject({ key: z.string().regex(/^[0-9*#]$/), ...station }),
  z.strictObject({ keys: z.string().regex(/^[0-9*#]{1,64}$/), ...station }),
  z.strictObject({ card: z.string().max(64), ...station }),
  z.strictObject({ phone: z.string().max(200), ...station }),
  z.strictObject({ input: name, level: z.enum(['active', 'inactive', 'unknown']) }),
  z.strictObject({ press: name }),
  z.strictObject({ unplug: name }),
  z.strictObject({ plug: name }),
  z.strictObject({ clock_stepped_ms: z.int().min(-LONGEST_STEP_MS).max(LONGEST_STEP_MS) }),
]);
export type PartsOrder = z.infer<typeof order>;

/** The order, or what is wrong with the line. Never repeats it: it may hold a PIN. */
export const readOrder = (line: string): PartsOrder | string => {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'this is no JSON';
  }
  const read = order.safeParse(value);
  return read.success
    ? read.data
    : 'must be one of {"key","station"}, {"keys","station"}, {"card","station"}, {"phone","station"}, {"input","level"}, {"press"}, {"unplug"}, {"plug"}, {"clock_stepped_ms"}';
};
