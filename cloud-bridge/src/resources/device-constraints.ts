import type { GadgetId } from '@lintel/access-core/ids';
import { type InputRule, parseInputRules } from '@lintel/access-core/input-rules';
import type { DeviceCapabilities, DeviceStatus } from '@lintel/wire-protocol/rest/device';
import { invalid, orThrow } from '../http/api-error.ts';
import type { DeviceRow, GadgetRow } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/writer.ts';

export const capabilitiesOf = (device: Pick<DeviceRow, 'capabilities'>): DeviceCapabilities =>
  JSON.parse(device.capabilities) as DeviceCapabilities;

/** A site gateway carries what the devices of its site say, and serves them under TLS with its own certificate. */
export const isGateway = ({ product_id }: { readonly product_id: string }): boolean => product_id === 'gateway';

export const isVirtual = ({ hardware_id }: Pick<DeviceRow, 'hardware_id'>): boolean => hardware_id === null;

/** A virtual device behaves like a real one that is always there; of a real one nothing is known until it speaks. */
export const firstStatus = (hardwareId: string | null, { mains, battery }: DeviceCapabilities): DeviceStatus =>
  hardwareId === null
    ? {
        online: true,
        mains_present: mains,
        battery_present: battery,
        battery_charging: false,
        battery_percent: battery ? 100 : 0,
      }
    : {
        online: false,
        mains_present: false,
        battery_present: false,
        battery_charging: false,
        battery_percent: 0,
      };

/** How many gadgets a device may have in all; `single` must have exactly one. */
export const checkGadgetCount = (capabilities: DeviceCapabilities, count: number, field: string): void => {
  const { gadgets, gadget_max_count: most } = capabilities;
  if (gadgets === 'none' && count > 0) throw invalid(field, 'A device of this product cannot have gadgets');
  if (gadgets === 'single' && count !== 1) throw invalid(field, 'A device of this product has exactly one gadget');
  if (count > most) throw invalid(field, `A device of this product has at most ${most} gadgets`);
};

export const livingGadgetsOf = ({ db, organizationId }: WriteContext, deviceId: string): Promise<GadgetRow[]> =>
  db
    .selectFrom('gadgets')
    .selectAll()
    .where('device_id', '=', deviceId)
    .where('organization_id', '=', organizationId)
    .where('is_deleted', '=', 0)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const idsOf = (parts: string): string[] => (JSON.parse(parts) as { id: string }[]).map(({ id }) => id);

const actionsOf = async (
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
  return new Map(rows.map(({ id, actions }) => [id, idsOf(actions)]));
};

/** Rules for a device with these capabilities, whose destinations are living gadgets of the organization. */
export const checkInputRules = async (
  context: WriteContext,
  capabilities: DeviceCapabilities,
  given: readonly unknown[],
): Promise<readonly InputRule[]> => {
  if (given.length > 0 && !capabilities.input_rules) {
    throw invalid('input_rules', 'input_rules must be empty: a device of this product has none');
  }
  const rules = orThrow(parseInputRules(given));
  const actions = await actionsOf(context, [...new Set(rules.map(rule => rule.gadget_id))]);
  return orThrow(parseInputRules(given, id => actions.get(id)));
};

/** An action that an input rule still names cannot be taken away from its gadget. */
export const requireUnusedActions = async (
  { db, organizationId }: WriteContext,
  gadgetId: string,
  removed: ReadonlySet<string>,
): Promise<void> => {
  if (removed.size === 0) return;
  const devices = await db
    .selectFrom('devices')
    .select(['id', 'input_rules'])
    .where('organization_id', '=', organizationId)
    .where('is_deleted', '=', 0)
    .where('input_rules', 'like', `%${gadgetId}%`)
    .execute();
  for (const { id, input_rules } of devices) {
    const rules = JSON.parse(input_rules) as InputRule[];
    const user = rules.find(rule => rule.gadget_id === gadgetId && removed.has(rule.action_id));
    if (user === undefined) continue;
    throw invalid('actions', `An input rule of device ${id} still uses the action ${user.action_id}`, { id });
  }
};
