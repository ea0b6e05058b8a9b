import * as z from 'zod';
import { lineModes, lineSwitches } from './switches.ts';

const oneOf = <const T extends readonly string[]>(names: T) =>
  z.enum(names, { error: `must be one of ${names.join(', ')}` });

const station = z.string().max(64).optional();

/** `POST /api/controllers/{key}/keys`. */
export const keysPressed = z.strictObject({ keys: z.string().regex(/^[0-9*#]{1,64}$/), station });
export type KeysPressed = z.infer<typeof keysPressed>;

/** `POST /api/controllers/{key}/tap`: somebody's card or phone, or any card by its uid. */
export const personTapped = z.strictObject({
  person: z.string().max(64),
  with: oneOf(['card', 'phone']),
  station,
});
export const cardTapped = z.strictObject({ card: z.string().max(64), station });
export type Tapped = z.infer<typeof personTapped> | z.infer<typeof cardTapped>;

/**
 * `POST /api/doors/{key}/hand`. `push` opens an unlocked door and is 409 at a locked one; `force` opens it all the same;
 * `hold` keeps it open as soon as it is; `close` lets go and closes it; `exit` presses the button inside.
 */
export const doorHand = z.strictObject({ does: oneOf(['push', 'force', 'hold', 'close', 'exit']) });
export type DoorHand = z.infer<typeof doorHand>;

/** `POST /api/controllers/{key}/power`: off kills the process. */
export const powerSwitched = z.strictObject({ on: z.boolean() });
export type PowerSwitched = z.infer<typeof powerSwitched>;

/** `POST /api/controllers/{key}/supply`: the lines that tell of mains and battery. */
export const supplyChanged = z.strictObject({ mains: z.boolean().optional(), battery: z.boolean().optional() });
export type SupplyChanged = z.infer<typeof supplyChanged>;

const YEARS_MS = 100 * 366 * 86_400_000;

/** `POST /api/controllers/{key}/clock`: the clock of its machine is this far from the right time. */
export const clockStepped = z.strictObject({ stepped_ms: z.int().min(-YEARS_MS).max(YEARS_MS) });
export type ClockStepped = z.infer<typeof clockStepped>;

/** `POST /api/controllers/{key}/disk`. */
export const diskFilled = z.strictObject({ full: z.boolean() });
export type DiskFilled = z.infer<typeof diskFilled>;

/** `POST /api/controllers/{key}/housing`. */
export const housingMoved = z.strictObject({ open: z.boolean() });
export type HousingMoved = z.infer<typeof housingMoved>;

/** `POST /api/lines`: all lines of a switch, or one by its key. */
export const switchTurned = z.strictObject({ switch: oneOf(lineSwitches), mode: oneOf(lineModes) });
export const lineSwitched = z.strictObject({ line: z.string().max(64), mode: oneOf(lineModes) });
export type LinesSwitched = z.infer<typeof switchTurned> | z.infer<typeof lineSwitched>;

/** `POST /api/scenarios/{name}/play`. */
export const scenarioPlayed = z.strictObject({});
