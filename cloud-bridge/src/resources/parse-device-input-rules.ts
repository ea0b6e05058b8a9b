import type { GadgetId } from '@lintel/access-core/ids';
import { type InputRule, parseInputRules } from '@lintel/access-core/input-rules';
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
