import * as z from 'zod';
import { simulatedLinkModes, simulatedLinkGroups } from './network-links.ts';

const oneOf = <const T extends readonly string[]>(names: T) =>
  z.enum(names, { error: `must be one of ${names.join(', ')}` });

const station = z.string().max(64).optional();

/** `POST /api/controllers/{key}/keys`. */
export const simulatorPressKeysRequestSchema = z.strictObject({ keys: z.string().regex(/^[0-9*#]{1,64}$/), station });
export type SimulatorPressKeysRequest = z.infer<typeof simulatorPressKeysRequestSchema>;

const simulatedCredentials = ['card', 'phone', 'qr_code'] as const;
export type SimulatedCredential = (typeof simulatedCredentials)[number];

/** `POST /api/controllers/{key}/tap`: a person's card, phone or QR code, or any card by its uid. */
export const simulatorTapPersonRequestSchema = z.strictObject({
  person: z.string().max(64),
  with: oneOf(simulatedCredentials),
  station,
});
export const simulatorTapCardRequestSchema = z.strictObject({ card: z.string().max(64), station });
export type SimulatorTapRequest =
  | z.infer<typeof simulatorTapPersonRequestSchema>
  | z.infer<typeof simulatorTapCardRequestSchema>;

/**
 * `POST /api/doors/{key}/hand`. `push` opens an unlocked door and is 409 at a locked one; `force` opens it anyway;
 * `hold` keeps it open once it is open; `close` closes it; `exit` presses the exit button.
 */
export const simulatorOperateDoorByHandRequestSchema = z.strictObject({
  does: oneOf(['push', 'force', 'hold', 'close', 'exit']),
});
export type SimulatorOperateDoorByHandRequest = z.infer<typeof simulatorOperateDoorByHandRequestSchema>;

/** `POST /api/doors/{key}/phone`: a person's phone opens the door over Bluetooth, from this distance. */
export const simulatorOpenWithPhoneRequestSchema = z.strictObject({
  person: z.string().max(64),
  distance_m: z.number().min(0).max(100),
});
export type SimulatorOpenWithPhoneRequest = z.infer<typeof simulatorOpenWithPhoneRequestSchema>;

const partId = z.string().max(64);

/** `POST /api/virtual_devices/{key}/action`. */
export const simulatorVirtualActionRequestSchema = z.strictObject({ gadget_id: partId, action_id: partId });
export type SimulatorVirtualActionRequest = z.infer<typeof simulatorVirtualActionRequestSchema>;

/** `POST /api/virtual_devices/{key}/signal`. */
export const simulatorVirtualSignalRequestSchema = z.strictObject({ gadget_id: partId, signal_id: partId });
export type SimulatorVirtualSignalRequest = z.infer<typeof simulatorVirtualSignalRequestSchema>;

/** `POST /api/controllers/{key}/power`: off kills the process. */
export const simulatorSetPowerRequestSchema = z.strictObject({ on: z.boolean() });
export type SimulatorSetPowerRequest = z.infer<typeof simulatorSetPowerRequestSchema>;

/** `POST /api/controllers/{key}/supply`: sets the mains and battery inputs. */
export const simulatorSetSupplyRequestSchema = z.strictObject({
  mains: z.boolean().optional(),
  battery: z.boolean().optional(),
});
export type SimulatorSetSupplyRequest = z.infer<typeof simulatorSetSupplyRequestSchema>;

const YEARS_MS = 100 * 366 * 86_400_000;

/** `POST /api/controllers/{key}/clock`: sets the system clock this far from the correct time. */
export const simulatorSetClockOffsetRequestSchema = z.strictObject({
  stepped_ms: z.int().min(-YEARS_MS).max(YEARS_MS),
});
export type SimulatorSetClockOffsetRequest = z.infer<typeof simulatorSetClockOffsetRequestSchema>;

/** `POST /api/controllers/{key}/disk`. */
export const simulatorSetDiskFullRequestSchema = z.strictObject({ full: z.boolean() });
export type SimulatorSetDiskFullRequest = z.infer<typeof simulatorSetDiskFullRequestSchema>;

/** `POST /api/controllers/{key}/housing`. */
export const simulatorSetHousingRequestSchema = z.strictObject({ open: z.boolean() });
export type SimulatorSetHousingRequest = z.infer<typeof simulatorSetHousingRequestSchema>;

/** `POST /api/lines`: all links of a group, or one by its key. */
export const simulatorSetLinkGroupModeRequestSchema = z.strictObject({
  switch: oneOf(simulatedLinkGroups),
  mode: oneOf(simulatedLinkModes),
});
export const simulatorSetLinkModeRequestSchema = z.strictObject({
  line: z.string().max(64),
  mode: oneOf(simulatedLinkModes),
});
export type SimulatorSetLinkModesRequest =
  | z.infer<typeof simulatorSetLinkGroupModeRequestSchema>
  | z.infer<typeof simulatorSetLinkModeRequestSchema>;

/** `POST /api/scenarios/{name}/play`. */
export const simulatorPlayScenarioRequestSchema = z.strictObject({});
