import { type GadgetId, parseIdKind } from '@lintel/access-core/ids';
import { type InputRule, MAX_INPUT_RULES, parseInputRules } from '@lintel/access-core/input-rules';
import type { DeviceCapabilities } from '@lintel/wire-protocol/rest/device';
import { createInvalidFieldError, unwrapOrThrow } from '../http/api-error.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { parseIdsOfJsonObjects } from './read-gadget-rows.ts';

/** The action ids of the gadgets that are not deleted. */
export const findActionIds = async (
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

/** The ids in rules that are not parsed yet. */
const namedGadgetIds = (given: readonly unknown[]): GadgetId[] => {
  const ids = given.slice(0, MAX_INPUT_RULES).map(rule => (rule as { gadget_id?: unknown } | null)?.gadget_id);
  return [...new Set(ids)].filter((id): id is GadgetId => parseIdKind(id) === 'gadget');
};

/** Parses input rules. Targets must be gadgets of the organization that are not deleted. */
export const parseDeviceInputRules = async (
  context: WriteContext,
  capabilities: DeviceCapabilities,
  given: readonly unknown[],
): Promise<readonly InputRule[]> => {
  if (given.length > 0 && !capabilities.input_rules) {
    throw createInvalidFieldError('input_rules', 'must be empty, because a device of this product has no input rules');
  }
  const actions = await findActionIds(context, namedGadgetIds(given));
  return unwrapOrThrow(parseInputRules(given, id => actions.get(id)));
};
