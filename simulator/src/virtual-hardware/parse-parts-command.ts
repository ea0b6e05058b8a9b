import * as z from 'zod';

const name = z.string().min(1).max(64);
const MAX_CLOCK_STEP_MS = 100 * 366 * 86_400_000;
const station = { station: name.optional() };

/** A command to the simulated parts, one JSON document per line. */
const command = z.union([
  z.strictObject({ key: z.string().regex(/^[0-9*#]$/), ...station }),
  z.strictObject({ keys: z.string().regex(/^[0-9*#]{1,64}$/), ...station }),
  z.strictObject({ card: z.string().max(64), ...station }),
  z.strictObject({ phone: z.string().max(200), ...station }),
  z.strictObject({ qr_code: z.string().max(400), ...station }),
  z.strictObject({ input: name, level: z.enum(['active', 'inactive', 'unknown']) }),
  z.strictObject({ press: name }),
  z.strictObject({ unplug: name }),
  z.strictObject({ plug: name }),
  z.strictObject({ clock_stepped_ms: z.int().min(-MAX_CLOCK_STEP_MS).max(MAX_CLOCK_STEP_MS) }),
]);
export type SimulatedPartsCommand = z.infer<typeof command>;

/** Returns the command, or an error message. The message never repeats the line, which may contain a PIN. */
export const parseSimulatedPartsCommand = (line: string): SimulatedPartsCommand | string => {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'invalid JSON';
  }
  const read = command.safeParse(value);
  return read.success
    ? read.data
    : 'must be one of {"key","station"}, {"keys","station"}, {"card","station"}, {"phone","station"}, {"qr_code","station"}, {"input","level"}, {"press"}, {"unplug"}, {"plug"}, {"clock_stepped_ms"}';
};
