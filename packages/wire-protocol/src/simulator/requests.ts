import * as z from 'zod';
import { networkLinkModes, networkLinkGroups } from './network-links.ts';

const oneOf = <const T extends readonly string[]>(names: T) =>
  z.enum(names, { error: `must be one of ${names.join(', ')}` });

const station = z.string().max(64).optional();

/** `POST /api/controllers/{key}/keys`. */
export const pressKeysRequest = z.strictObject({ keys: z.string().regex(/^[0-9*#]{1,64}$/), station });
export type PressKeysRequest = z.infer<typeof pressKeysRequest>;

/** `POST /api/controllers/{key}/tap`: a person's card or phone, or any card by its uid. */
export const tapPersonRequest = z.strictObject({
  person: z.string().max(64),
  with: oneOf(['card', 'phone']),
  station,
});
export const tapCardRequest = z.strictObject({ card: z.string().max(64), station });
export type TapRequest = z.infer<typeof tapPersonRequest> | z.infer<typeof tapCardRequest>;

/**
 * `POST /api/doors/{key}/hand`. `push` opens an unlocked door and is 409 at a locked one; `force` opens it anyway;
 * `hold` keeps it open once it is open; `close` closes it; `exit` presses the exit button.
 */
export const moveDoorRequest = z.strictObject({ does: oneOf(['push', 'force', 'hold', 'close', 'exit']) });
export type MoveDoorRequest = z.infer<typeof moveDoorRequest>;

const partId = z.string().max(64);

/** `POST /api/virtual_devices/{key}/action`. */
export const performVirtualActionRequest = z.strictObject({ gadget_id: partId, action_id: partId });
export type PerformVirtualActionRequest = z.infer<typeof performVirtualActionRequest>;

/** `POST /api/virtual_devices/{key}/signal`. */
export const sendVirtualSignalRequest = z.strictObject({ gadget_id: partId, signal_id: partId });
export type SendVirtualSignalRequest = z.infer<typeof sendVirtualSignalRequest>;

/** `POST /api/controllers/{key}/power`: off kills the process. */
export const setPowerRequest = z.strictObject({ on: z.boolean() });
export type SetPowerRequest = z.infer<typeof setPowerRequest>;

/** `POST /api/controllers/{key}/supply`: sets the mains and battery inputs. */
export const setSupplyRequest = z.strictObject({ mains: z.boolean().optional(), battery: z.boolean().optional() });
export type SetSupplyRequest = z.infer<typeof setSupplyRequest>;

const YEARS_MS = 100 * 366 * 86_400_000;

/** `POST /api/controllers/{key}/clock`: sets the system clock this far from the correct time. */
export const stepClockRequest = z.strictObject({ stepped_ms: z.int().min(-YEARS_MS).max(YEARS_MS) });
export type StepClockRequest = z.infer<typeof stepClockRequest>;

/** `POST /api/controllers/{key}/disk`. */
export const fillDiskRequest = z.strictObject({ full: z.boolean() });
export type FillDiskRequest = z.infer<typeof fillDiskRequest>;

/** `POST /api/controllers/{key}/housing`. */
export const setHousingRequest = z.strictObject({ open: z.boolean() });
export type SetHousingRequest = z.infer<typeof setHousingRequest>;

/** `POST /api/lines`: all links of a group, or one by its key. */
export const setLinkGroupModeRequest = z.strictObject({
  switch: oneOf(networkLinkGroups),
  mode: oneOf(networkLinkModes),
});
export const setLinkModeRequest = z.strictObject({ line: z.string().max(64), mode: oneOf(networkLinkModes) });
export type SetLinkModesRequest = z.infer<typeof setLinkGroupModeRequest> | z.infer<typeof setLinkModeRequest>;

/** `POST /api/scenarios/{name}/play`. */
export const playScenarioRequest = z.strictObject({});
