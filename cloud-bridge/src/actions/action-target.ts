import { notFound } from '../http/api-error.ts';
import { idsOf } from '../resources/device-constraints.ts';
import type { DeviceRow, GadgetRow } from '../storage/schema.ts';
import type { EventObject } from '../transactions/new-event.ts';
import { findRow, requireLivingRow } from '../transactions/rows.ts';
import type { WriteContext } from '../transactions/writer.ts';

/** One action of one gadget that is really there. */
export interface ActionTarget {
  readonly gadget: GadgetRow;
  readonly device: DeviceRow;
  readonly actionId: string;
}

/** 404 for a deleted gadget, a gadget of a deleted site and an action that the gadget does not have. */
export const findTarget = async (context: WriteContext, gadgetId: string, actionId: string): Promise<ActionTarget> => {
  const gadget = await requireLivingRow(context, 'gadgets', 'gadget', gadgetId);
  const site = await findRow(context, 'sites', gadget.site_id);
  const device = await findRow(context, 'devices', gadget.device_id);
  if (site?.is_deleted !== 0 || device?.is_deleted !== 0) throw notFound('gadget', gadgetId);
  if (!idsOf(gadget.actions).includes(actionId)) throw notFound('action', actionId);
  return { gadget, device, actionId };
};

export const actionObject = ({ gadget, actionId }: ActionTarget): EventObject => ({
  type: 'gadget_action',
  gadget_id: gadget.id,
  gadget_action_id: actionId,
  device_id: gadget.device_id,
  site_id: gadget.site_id,
});
