import type { VirtualGadgetDefinition } from '@lintel/access-core/door/virtual-gadget';
import type { GadgetId } from '@lintel/access-core/ids';
import { limitPowerStatusToCapabilities, type PowerStatus, unknownPowerStatus } from '@lintel/access-core/power-status';
import { type InputRule, parseInputRules } from '@lintel/access-core/input-rules';
import type { DeviceCapabilities, DeviceStatus } from '@lintel/wire-protocol/rest/device';
import { createInvalidFieldError, unwrapOrThrow } from '../http/api-error.ts';
import type { DeviceRow, GadgetRow } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

export const parseDeviceCapabilities = (device: Pick<DeviceRow, 'capabilities'>): DeviceCapabilities =>
  JSON.parse(device.capabilities) as DeviceCapabilities;

/** A site gateway relays the messages of its devices and serves them over TLS with its own certificate. */
export const GATEWAY_PRODUCT_ID = 'gateway';
export const isGatewayDevice = ({ product_id }: { readonly product_id: string }): boolean =>
  product_id === GATEWAY_PRODUCT_ID;

export const isVirtualDevice = ({ hardware_id }: Pick<DeviceRow, 'hardware_id'>): boolean => hardware_id === null;

/** Only the device reports states and signals of real hardware. */
export const requireVirtualDevice = (device: Pick<DeviceRow, 'hardware_id'>, field: string): void => {
  if (isVirtualDevice(device)) return;
  throw createInvalidFieldError(field, `${field} is reported by the device and cannot be set`);
};

/** The fields of the API: what is unknown is absent. */
export const toPowerFields = (power: PowerStatus): Omit<DeviceStatus, 'online'> =>
  Object.fromEntries(Object.entries(power).filter(([, value]) => value !== null));

/** A virtual device is always online, with a full battery if it has one. A real device is offline until it connects. */
export const createInitialDeviceStatus = (
  hardwareId: string | null,
  capabilities: DeviceCapabilities,
): DeviceStatus => {
  if (hardwareId !== null)
    return { online: false, ...toPowerFields(limitPowerStatusToCapabilities(capabilities, unknownPowerStatus)) };
  const { mains, battery } = capabilities;
  const full = { mains_present: mains, battery_present: battery, battery_charging: false, battery_percent: 100 };
  return { online: true, ...toPowerFields(limitPowerStatusToCapabilities(capabilities, full)) };
};

/** Checks the total number of gadgets of a device. `single` requires exactly one. */
export const requireAllowedGadgetCount = (capabilities: DeviceCapabilities, count: number, field: string): void => {
  const { gadgets, gadget_max_count: maxCount } = capabilities;
  if (gadgets === 'none' && count > 0)
    throw createInvalidFieldError(field, 'A device of this product cannot have gadgets');
  if (gadgets === 'single' && count !== 1)
    throw createInvalidFieldError(field, 'A device of this product has exactly one gadget');
  if (count > maxCount)
    throw createInvalidFieldError(field, `A device of this product has at most ${maxCount} gadgets`);
};

export const listActiveGadgetsOfDevice = (
  { db, organizationId }: WriteContext,
  deviceId: string,
): Promise<GadgetRow[]> =>
  db
    .selectFrom('gadgets')
    .selectAll()
    .where('device_id', '=', deviceId)
    .where('organization_id', '=', organizationId)
    .where('is_deleted', '=', 0)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const parseIdsOfJsonObjects = (json: string): string[] =>
  (JSON.parse(json) as { id: string }[]).map(({ id }) => id);

export const toVirtualGadgetDefinition = ({
  actions,
  states,
}: Pick<GadgetRow, 'actions' | 'states'>): VirtualGadgetDefinition => ({
  action_ids: parseIdsOfJsonObjects(actions),
  state_ids: parseIdsOfJsonObjects(states),
});

const findActionIds = async (
  { db, organizationId }: WriteContext,
  gadgetIds: readonly GadgetId[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  if (gadgetIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('gadgets')
    .select(['id', 'actions'])
    .where('id', 'in', gadgetIds)
    .where('organization_id', '=', organizationId)
    .where('is_deleted', '=', 0)
    .execute();
  return new Map(rows.map(({ id, actions }) => [id, parseIdsOfJsonObjects(actions)]));
};

/** Parses input rules. Targets must be gadgets of the organization that are not deleted. */
export const parseDeviceInputRules = async (
  context: WriteContext,
  capabilities: DeviceCapabilities,
  given: readonly unknown[],
): Promise<readonly InputRule[]> => {
  if (given.length > 0 && !capabilities.input_rules) {
    throw createInvalidFieldError(
      'input_rules',
      'input_rules must be empty: a device of this product has no input rules',
    );
  }
  const rules = unwrapOrThrow(parseInputRules(given));
  const actions = await findActionIds(context, [...new Set(rules.map(rule => rule.gadget_id))]);
  return unwrapOrThrow(parseInputRules(given, id => actions.get(id)));
};
