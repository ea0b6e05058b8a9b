import type { InputRule } from '@lintel/access-core/input-rules';
import { createInUseError } from '../http/api-error.ts';
import type { DeviceRow, GadgetTriggerRow } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { deviceWriter } from './device-resource-writer.ts';
import { deleteGadgetTrigger } from './gadget-triggers.ts';

/** What a write removes: the whole gadget, or some of its actions, states and signals. */
export interface GadgetRemoval {
  readonly gadgetId: string;
  readonly parts: 'all' | Readonly<Record<'actions' | 'states' | 'signals', ReadonlySet<string>>>;
}

interface RemovalOptions {
  /** The field of the request, for the error. */
  readonly field: string;
  /** Removes the input rules and triggers too. */
  readonly isForced: boolean;
  /** Their own input rules do not count, because they are deleted too. */
  readonly deletedDeviceIds?: ReadonlySet<string>;
}

export interface GadgetUses {
  readonly rules: readonly { readonly device: DeviceRow; readonly rule: InputRule }[];
  readonly triggers: readonly GadgetTriggerRow[];
}

const usesAction = ({ gadgetId, parts }: GadgetRemoval, gadget: string, action: string): boolean =>
  gadget === gadgetId && (parts === 'all' || parts.actions.has(action));

const usesSource = ({ gadgetId, parts }: GadgetRemoval, trigger: GadgetTriggerRow): boolean =>
  trigger.source_gadget_id === gadgetId &&
  (parts === 'all' ||
    parts.states.has(trigger.source_state_id ?? '') ||
    parts.signals.has(trigger.source_signal_id ?? ''));

const rulesOf = (device: DeviceRow): InputRule[] => JSON.parse(device.input_rules) as InputRule[];

const findUses = async (
  { db, organizationId }: WriteContext,
  removals: readonly GadgetRemoval[],
  deletedDeviceIds: ReadonlySet<string>,
): Promise<GadgetUses> => {
  const gadgetIds = removals.map(({ gadgetId }) => gadgetId);
  const devices = await db
    .selectFrom('devices')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('is_deleted', '=', 0)
    .where(row => row.or(gadgetIds.map(id => row('input_rules', 'like', `%${id}%`))))
    .execute();
  const triggers = await db
    .selectFrom('gadget_triggers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('is_deleted', '=', 0)
    .where(row => row.or([row('target_gadget_id', 'in', gadgetIds), row('source_gadget_id', 'in', gadgetIds)]))
    .execute();
  const rules = devices
    .filter(({ id }) => !deletedDeviceIds.has(id))
    .flatMap(device => rulesOf(device).map(rule => ({ device, rule })));
  return {
    rules: rules.filter(({ rule }) => removals.some(removal => usesAction(removal, rule.gadget_id, rule.action_id))),
    triggers: triggers.filter(trigger =>
      removals.some(
        removal =>
          usesSource(removal, trigger) || usesAction(removal, trigger.target_gadget_id, trigger.target_action_id),
      ),
    ),
  };
};

const describeUses = ({ rules, triggers }: GadgetUses): string[] => [
  ...rules.map(({ device, rule }) => `input rule '${rule.code}' of device ${device.id}`),
  ...triggers.map(({ id }) => `gadget trigger ${id}`),
];

const removeUses = async (context: WriteContext, { rules, triggers }: GadgetUses): Promise<void> => {
  for (const [device, used] of Map.groupBy(rules, use => use.device)) {
    const codes = new Set(used.map(({ rule }) => rule.code));
    const remaining = rulesOf(device).filter(({ code }) => !codes.has(code));
    await deviceWriter.edit(context, device, {}, { input_rules: JSON.stringify(remaining) });
  }
  for (const { id } of triggers) await deleteGadgetTrigger(context, id);
};

/**
 * Before gadgets or their parts are removed: rejects it while input rules or triggers use them, or removes those too and
 * returns them.
 */
export const rejectOrRemoveGadgetUses = async (
  context: WriteContext,
  removals: readonly GadgetRemoval[],
  { field, isForced, deletedDeviceIds = new Set() }: RemovalOptions,
): Promise<GadgetUses> => {
  if (removals.length === 0) return { rules: [], triggers: [] };
  const uses = await findUses(context, removals, deletedDeviceIds);
  const used = uses.rules[0]?.device.id ?? uses.triggers[0]?.id;
  if (used === undefined) return uses;
  if (isForced) {
    await removeUses(context, uses);
    return uses;
  }
  throw createInUseError(field, used, describeUses(uses));
};
