import { createNotFoundError } from '../http/api-error.ts';
import { parseIdsOfJsonObjects } from './read-gadget-rows.ts';
import type { DeviceRow, GadgetRow } from '../storage/schema.ts';
import type { NewEventObject } from '../transactions/pending-event.ts';
import { findRow, requireActiveRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

/** An action of a gadget, both verified to exist. */
export interface ResolvedGadgetAction {
  readonly gadget: GadgetRow;
  readonly device: DeviceRow;
  readonly actionId: string;
}

/** 404 for a deleted gadget, a gadget of a deleted site and an action that the gadget does not have. */
export const requireGadgetAction = async (
  context: WriteContext,
  gadgetId: string,
  actionId: string,
): Promise<ResolvedGadgetAction> => {
  const gadget = await requireActiveRow(context, 'gadgets', 'gadget', gadgetId);
  const site = await findRow(context, 'sites', gadget.site_id);
  const device = await findRow(context, 'devices', gadget.device_id);
  if (site?.is_deleted !== 0 || device?.is_deleted !== 0) throw createNotFoundError('gadget', gadgetId);
  if (!parseIdsOfJsonObjects(gadget.actions).includes(actionId)) throw createNotFoundError('action', actionId);
  return { gadget, device, actionId };
};

export const toGadgetActionEventObject = ({ gadget, actionId }: ResolvedGadgetAction): NewEventObject => ({
  type: 'gadget_action',
  gadget_id: gadget.id,
  gadget_action_id: actionId,
  device_id: gadget.device_id,
  site_id: gadget.site_id,
});
